-- Delete the deliveries of an endpoint along with it: the version before runs beside this one and does not know them.
-- It is a second key beside Django's own: while that was replaced, even readers of deals_webhookendpoint would have to wait.
ALTER TABLE deals_webhookdelivery ADD CONSTRAINT deals_webhookdelivery_goes_with_its_endpoint
    FOREIGN KEY (endpoint_id) REFERENCES deals_webhookendpoint (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
