-- Change the revision of the labels with each change of a theme or an auction system, whoever makes it.
CREATE FUNCTION themes_change_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO themes_labelrevision (id, token) VALUES (1, gen_random_uuid()::text)
    ON CONFLICT (id) DO UPDATE SET token = excluded.token;
    RETURN NULL;
END $$;

CREATE TRIGGER themes_theme_changes_revision AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
ON themes_theme FOR EACH STATEMENT EXECUTE FUNCTION themes_change_revision();

CREATE TRIGGER accounts_auctionsystem_changes_revision AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
ON accounts_auctionsystem FOR EACH STATEMENT EXECUTE FUNCTION themes_change_revision();
