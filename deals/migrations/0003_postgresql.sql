-- Delete the deliveries of an endpoint along with it: the version before runs beside this one and does not know them.
ALTER TABLE deals_webhookdelivery
    DROP CONSTRAINT deals_webhookdeliver_endpoint_id_51d1ff19_fk_deals_web,
    ADD CONSTRAINT deals_webhookdeliver_endpoint_id_51d1ff19_fk_deals_web
        FOREIGN KEY (endpoint_id) REFERENCES deals_webhookendpoint (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
