"""Which part of the service an address belongs to, for what runs before routing."""

DEALS = "/api/deals"


def is_under(path: str, root: str) -> bool:
    """The root itself or below it; "/api/dealsx" is not under "/api/deals"."""
    return path == root or path.startswith(f"{root}/")
