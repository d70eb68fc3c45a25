-- Delete the deliveries of an endpoint along with it: the version before runs beside this one and does not know them.
CREATE TRIGGER deals_webhookendpoint_deletes_deliveries BEFORE DELETE ON deals_webhookendpoint BEGIN
    DELETE FROM deals_webhookdelivery WHERE endpoint_id = OLD.id;
END;
