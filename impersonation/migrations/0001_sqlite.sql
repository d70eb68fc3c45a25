-- Refuse to change an event, and to delete one unless `prune` does it (see EventPruning): no code of ours, and no admin
-- at a shell, can rewrite the audit log.
CREATE TRIGGER impersonation_event_is_final BEFORE UPDATE ON impersonation_impersonationevent
BEGIN
    SELECT RAISE(ABORT, 'an impersonation event is never changed');
END;

CREATE TRIGGER impersonation_event_is_kept BEFORE DELETE ON impersonation_impersonationevent
WHEN NOT EXISTS (SELECT 1 FROM impersonation_eventpruning WHERE OLD.created_at < until)
BEGIN
    SELECT RAISE(ABORT, 'an impersonation event is kept until prune deletes it');
END;
