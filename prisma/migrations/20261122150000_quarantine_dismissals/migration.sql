-- A quarantined request that somebody looked at and set aside. `dismissal_id` is shared by all that were
-- dismissed together, so that one step undoes it.
ALTER TABLE "quarantine"
  ADD COLUMN "dismissed_at" TIMESTAMPTZ(3),
  ADD COLUMN "dismissed_by" TEXT,
  ADD COLUMN "dismissal_id" TEXT;

-- Whether the body of a request that did not verify reads as an event all the same: the sender is then likely to be
-- the platform, and not a scanner. Null for what came before this column, and from code of the release before.
ALTER TABLE "quarantine" ADD COLUMN "reads_as_event" BOOLEAN;
