-- Delete the rows of a deal's events along with it: the version before, which runs beside this one, does not know them.
ALTER TABLE boards_eventdeal
    DROP CONSTRAINT boards_eventdeal_deal_id_08185625_fk_deals_deal_id,
    ADD CONSTRAINT boards_eventdeal_deal_id_08185625_fk_deals_deal_id
        FOREIGN KEY (deal_id) REFERENCES deals_deal (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
