-- Change the revision of the labels with each change of a theme or an auction system, whoever makes it.
CREATE TRIGGER themes_theme_changes_revision_on_INSERT AFTER INSERT ON themes_theme BEGIN
    INSERT OR REPLACE INTO themes_labelrevision (id, token) VALUES (1, lower(hex(randomblob(16))));
END;

CREATE TRIGGER themes_theme_changes_revision_on_UPDATE AFTER UPDATE ON themes_theme BEGIN
    INSERT OR REPLACE INTO themes_labelrevision (id, token) VALUES (1, lower(hex(randomblob(16))));
END;

CREATE TRIGGER themes_theme_changes_revision_on_DELETE AFTER DELETE ON themes_theme BEGIN
    INSERT OR REPLACE INTO themes_labelrevision (id, token) VALUES (1, lower(hex(randomblob(16))));
END;

CREATE TRIGGER accounts_auctionsystem_changes_revision_on_INSERT AFTER INSERT ON accounts_auctionsystem BEGIN
    INSERT OR REPLACE INTO themes_labelrevision (id, token) VALUES (1, lower(hex(randomblob(16))));
END;

CREATE TRIGGER accounts_auctionsystem_changes_revision_on_UPDATE AFTER UPDATE ON accounts_auctionsystem BEGIN
    INSERT OR REPLACE INTO themes_labelrevision (id, token) VALUES (1, lower(hex(randomblob(16))));
END;

CREATE TRIGGER accounts_auctionsystem_changes_revision_on_DELETE AFTER DELETE ON accounts_auctionsystem BEGIN
    INSERT OR REPLACE INTO themes_labelrevision (id, token) VALUES (1, lower(hex(randomblob(16))));
END;
