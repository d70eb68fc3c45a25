-- Delete the rows of a deal's events along with it: the version before, which runs beside this one, does not know them.
CREATE TRIGGER deals_deal_deletes_event_deals BEFORE DELETE ON deals_deal BEGIN
    DELETE FROM boards_eventdeal WHERE deal_id = OLD.id;
END;
