-- Why an issue changed by itself.
ALTER TABLE "issues" ADD COLUMN "state_cause" TEXT;
UPDATE "issues" SET "state_cause" = 'settled' WHERE "state" = 'resolved' AND "state_by" IS NULL;

-- What a re-delivery keeps of its events when they leave the log: how they fared.
ALTER TABLE "redeliveries" ADD COLUMN "expired_applied" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "expired_failed" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "expired_untried" INTEGER NOT NULL DEFAULT 0;

-- What retention has left behind so far: issues without events, and members of
-- frozen sets whose events have gone (how they fared is not known any more).
UPDATE "issues" SET "state" = 'resolved', "state_at" = now(), "state_by" = NULL, "state_cause" = 'expired'
WHERE "state" IN ('open', 'acknowledged') AND NOT EXISTS (SELECT 1 FROM "issue_events" e WHERE e.issue_id = "issues".id);
WITH gone AS (
  DELETE FROM "redelivery_items" i
  WHERE NOT EXISTS (SELECT 1 FROM "events" e WHERE e.received_at = i.received_at AND e.seq = i.seq) RETURNING i.redelivery_id)
UPDATE "redeliveries" r SET "expired_untried" = g.n
FROM (SELECT redelivery_id, count(*) AS n FROM gone GROUP BY redelivery_id) g WHERE r.id = g.redelivery_id;
