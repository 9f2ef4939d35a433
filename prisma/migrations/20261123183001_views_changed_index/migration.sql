-- What changed, in the order of positions. The order of times is asked for by workers of the release before alone:
-- during an update they do without, more slowly.
CREATE INDEX "views_changed_xid_id_idx" ON "views"("changed_xid", "id");
DROP INDEX "views_updated_at_id_idx";
