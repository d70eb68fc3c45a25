-- Delete the rows of a deal's events along with it: the version before, which runs beside this one, does not know them.
-- It is a second key beside Django's own: while that was replaced, even readers of deals_deal would have to wait.
ALTER TABLE boards_eventdeal ADD CONSTRAINT boards_eventdeal_goes_with_its_deal
    FOREIGN KEY (deal_id) REFERENCES deals_deal (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
