"""An erased account stays off, and a suspension leaves its mark: the database itself holds both, whoever writes.

The columns are added by statements of our own, because Django would make SQLite's table anew, without its triggers. The
check of the first column reads others, which both databases allow.
"""

from django.db import migrations, models

from config.database.dialects import trigger_dialect

CHECK = (
    "CONSTRAINT \"account_erased_is_off\" CHECK (erased_at IS NULL OR (NOT is_active AND role = 'member'))"
)
LOST = "OLD.is_active AND NOT NEW.is_active OR (OLD.role = 'member') <> (NEW.role = 'member')"
NEXT = f"OLD.rights_version + CASE WHEN {LOST} THEN 1 ELSE 0 END"
# `erase` is the only code that has made a password unusable. The account `system` has been made so.
MARK_ERASED = """
    UPDATE accounts_account SET erased_at = updated_at
    WHERE NOT is_active AND role = 'member' AND password LIKE '!%' AND id <> 'system'
    AND email = '' AND display_name = '' AND first_name = '' AND last_name = '' AND last_login IS NULL
"""
ADD = {
    "plpgsql": (
        f"ALTER TABLE accounts_account ADD COLUMN erased_at timestamp with time zone NULL {CHECK}",
        "ALTER TABLE accounts_account ADD COLUMN rights_version integer DEFAULT 0 NOT NULL CHECK (rights_version >= 0)",
        MARK_ERASED,
        f"""
        CREATE FUNCTION account_rights_are_versioned() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.rights_version := {NEXT}; RETURN NEW; END $$
        """,
        """
        CREATE TRIGGER account_rights_are_versioned BEFORE UPDATE OF is_active, role, rights_version
        ON accounts_account FOR EACH ROW EXECUTE FUNCTION account_rights_are_versioned()
        """,
        """
        CREATE FUNCTION account_stays_erased() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'an erased account stays erased' USING ERRCODE = 'check_violation'; END $$
        """,
        """
        CREATE TRIGGER account_stays_erased BEFORE UPDATE OF erased_at ON accounts_account FOR EACH ROW
        WHEN (OLD.erased_at IS NOT NULL AND NEW.erased_at IS NULL) EXECUTE FUNCTION account_stays_erased()
        """,
    ),
    "sqlite": (
        f"ALTER TABLE accounts_account ADD COLUMN erased_at datetime NULL {CHECK}",
        """
        ALTER TABLE accounts_account ADD COLUMN rights_version integer unsigned DEFAULT 0 NOT NULL
        CHECK (rights_version >= 0)
        """,
        MARK_ERASED,
        f"""
        CREATE TRIGGER account_rights_are_versioned AFTER UPDATE OF is_active, role, rights_version
        ON accounts_account WHEN NEW.rights_version <> {NEXT}
        BEGIN UPDATE accounts_account SET rights_version = {NEXT} WHERE id = NEW.id; END
        """,
        """
        CREATE TRIGGER account_stays_erased BEFORE UPDATE OF erased_at ON accounts_account
        WHEN OLD.erased_at IS NOT NULL AND NEW.erased_at IS NULL
        BEGIN SELECT RAISE(ABORT, 'an erased account stays erased'); END
        """,
    ),
}
DROP_TRIGGERS = {
    "plpgsql": (
        "DROP TRIGGER account_stays_erased ON accounts_account",
        "DROP FUNCTION account_stays_erased()",
        "DROP TRIGGER account_rights_are_versioned ON accounts_account",
        "DROP FUNCTION account_rights_are_versioned()",
    ),
    "sqlite": ("DROP TRIGGER account_stays_erased", "DROP TRIGGER account_rights_are_versioned"),
}


def add(apps, schema_editor):
    for statement in ADD[trigger_dialect(schema_editor.connection)]:
        schema_editor.execute(statement, params=None)  # with parameters, a % would have to be doubled


def drop(apps, schema_editor):
    for statement in DROP_TRIGGERS[trigger_dialect(schema_editor.connection)]:
        schema_editor.execute(statement)
    for name in ("erased_at", "rights_version"):
        schema_editor.execute(f"ALTER TABLE accounts_account DROP COLUMN {name}")


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_aliases")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(add, drop)],
            state_operations=[
                migrations.AddField(
                    model_name="account",
                    name="erased_at",
                    field=models.DateTimeField(
                        blank=True,
                        editable=False,
                        help_text="When the person was erased. The account stays switched off for ever.",
                        null=True,
                    ),
                ),
                migrations.AddField(
                    model_name="account",
                    name="rights_version",
                    field=models.PositiveIntegerField(
                        db_default=0,
                        default=0,
                        editable=False,
                        help_text="Counted up by the database whenever the account is switched off, or gets or loses a staff role.",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="account",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            ("erased_at", None),
                            models.Q(("is_active", False), ("role", "member")),
                            _connector="OR",
                        ),
                        name="account_erased_is_off",
                        violation_error_code="erased",
                        violation_error_message="This person was erased. The account cannot be switched on again.",
                    ),
                ),
            ],
        ),
    ]
