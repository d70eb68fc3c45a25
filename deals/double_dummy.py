"""What each side can make with all cards open, as it is stored."""

from dataclasses import dataclass

from deals.bridge.names import DENOMINATIONS
from deals.bridge.seats import Seat


@dataclass(frozen=True, slots=True)
class Table:
    """Tricks by declarer and denomination; `digits` are 20 hexadecimal ones, N's five first."""

    digits: str

    @classmethod
    def of(cls, tricks: dict[str, dict[str, int]]) -> "Table":
        return cls(
            "".join(f"{tricks[seat][denomination]:x}" for seat in Seat for denomination in DENOMINATIONS)
        )

    def tricks(self) -> dict[str, dict[str, int]]:
        """{"N": {"C": 7, …}, …}"""
        rows = (self.digits[start : start + 5] for start in range(0, 20, 5))
        return {
            seat: {
                denomination: int(digit, 16) for denomination, digit in zip(DENOMINATIONS, row, strict=True)
            }
            for seat, row in zip(Seat, rows, strict=True)
        }
