-- Refuse to change an event, and to delete one unless `prune` does it (see EventPruning): no code of ours, and no admin
-- at a shell, can rewrite the audit log.
CREATE FUNCTION impersonation_event_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'an impersonation event is never changed';
END $$;

CREATE TRIGGER impersonation_event_is_final BEFORE UPDATE ON impersonation_impersonationevent
FOR EACH ROW EXECUTE FUNCTION impersonation_event_is_final();

CREATE FUNCTION impersonation_event_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM impersonation_eventpruning WHERE OLD.created_at < until) THEN RETURN OLD; END IF;
    RAISE EXCEPTION 'an impersonation event is kept until prune deletes it';
END $$;

CREATE TRIGGER impersonation_event_is_kept BEFORE DELETE ON impersonation_impersonationevent
FOR EACH ROW EXECUTE FUNCTION impersonation_event_is_kept();

-- An empty table may be truncated, as when tests empty all tables.
CREATE FUNCTION impersonation_event_is_not_truncated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM impersonation_impersonationevent) THEN
        RAISE EXCEPTION 'impersonation events are kept until prune deletes them';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER impersonation_event_is_not_truncated BEFORE TRUNCATE ON impersonation_impersonationevent
FOR EACH STATEMENT EXECUTE FUNCTION impersonation_event_is_not_truncated();
