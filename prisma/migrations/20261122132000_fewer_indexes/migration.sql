-- One index answers both "of this resource" and "of this ID, whatever it is":
-- the kind comes last in it. Few IDs are of two kinds.
CREATE UNIQUE INDEX "event_refs_key" ON "event_refs"("workspace_id", "ref", "received_at", "seq", "kind");
ALTER TABLE "event_refs" DROP CONSTRAINT "event_refs_pkey";
ALTER TABLE "event_refs" ADD CONSTRAINT "event_refs_pkey" PRIMARY KEY USING INDEX "event_refs_key";
DROP INDEX "event_refs_workspace_id_ref_received_at_seq_idx";

-- A record is rewritten with each of its events: with room on its page the new
-- row stands beside the old one, and the table stays half as large.
ALTER TABLE "views" SET (fillfactor = 70);
