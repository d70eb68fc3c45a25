-- Count each loss of rights, so that what began before it is known (an impersonation, a login).
CREATE FUNCTION account_rights_are_versioned() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.rights_version := OLD.rights_version + CASE
        WHEN OLD.is_active AND NOT NEW.is_active OR (OLD.role = 'member') <> (NEW.role = 'member') THEN 1 ELSE 0
    END;
    RETURN NEW;
END $$;

CREATE TRIGGER account_rights_are_versioned BEFORE UPDATE OF is_active, role, rights_version
ON accounts_account FOR EACH ROW EXECUTE FUNCTION account_rights_are_versioned();

CREATE FUNCTION account_stays_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'an erased account stays erased' USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER account_stays_erased BEFORE UPDATE OF erased_at ON accounts_account FOR EACH ROW
WHEN (OLD.erased_at IS NOT NULL AND NEW.erased_at IS NULL) EXECUTE FUNCTION account_stays_erased();
