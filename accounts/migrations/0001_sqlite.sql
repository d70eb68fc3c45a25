-- Count each loss of rights, so that what began before it is known (an impersonation, a login).
CREATE TRIGGER account_rights_are_versioned AFTER UPDATE OF is_active, role, rights_version ON accounts_account
WHEN NEW.rights_version <> OLD.rights_version + CASE
    WHEN OLD.is_active AND NOT NEW.is_active OR (OLD.role = 'member') <> (NEW.role = 'member') THEN 1 ELSE 0
END
BEGIN
    UPDATE accounts_account SET rights_version = OLD.rights_version + CASE
        WHEN OLD.is_active AND NOT NEW.is_active OR (OLD.role = 'member') <> (NEW.role = 'member') THEN 1 ELSE 0
    END WHERE id = NEW.id;
END;

CREATE TRIGGER account_stays_erased BEFORE UPDATE OF erased_at ON accounts_account
WHEN OLD.erased_at IS NOT NULL AND NEW.erased_at IS NULL
BEGIN
    SELECT RAISE(ABORT, 'an erased account stays erased');
END;
