"""A migration that has landed never changes: databases that have run it would not get the change.

`migrate` goes by names alone. So landed_migrations.sha256 has the digest of each migration and of the SQL beside it, as
sha256sum writes them.
"""

import hashlib

from tools.environment import ROOT

LANDED = ROOT / "tests" / "config" / "database" / "landed_migrations.sha256"


def test_landed_migrations_are_as_they_landed_and_each_new_one_is_listed() -> None:
    lines = LANDED.read_text().splitlines()
    landed = {path: digest for digest, path in (line.split("  ") for line in lines)}
    files = [path for path in ROOT.glob("*/migrations/*") if path.name[0].isdigit()]
    here = {path.relative_to(ROOT).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    assert len(landed) == len(lines) and landed
    changed = sorted(path for path, digest in landed.items() if here.get(path) != digest)
    assert not changed, f"Take this change back, and write a new migration for it: {', '.join(changed)}"
    new = " ".join(sorted(here.keys() - landed.keys()))
    assert not new, f"Add what is new: sha256sum {new} >> {LANDED.relative_to(ROOT)}"
