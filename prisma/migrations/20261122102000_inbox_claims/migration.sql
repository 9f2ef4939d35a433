-- Which deliveries a worker has claimed, committed before it begins to apply
-- them. What stands here and is locked by nobody was claimed by a process that
-- died, or by a batch that failed: it is tried one delivery at a time.
CREATE TABLE "inbox_claims" (
    "id" BIGSERIAL NOT NULL,
    "inbox_ids" BIGINT[],
    "alone" BOOLEAN NOT NULL DEFAULT false,
    "claimed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "inbox_claims_pkey" PRIMARY KEY ("id")
);

-- Workspaces take turns: each one's deliveries are found without walking over
-- those of another. A worker of the release before finds its own without the
-- index that goes, only more slowly.
CREATE INDEX "inbox_workspace_id_due_at_id_idx" ON "inbox"("workspace_id", "due_at", "id");
DROP INDEX "inbox_due_at_id_idx";

-- What failed before is tried alone. Few rows are in it, and a first delivery
-- costs it nothing. Stands in the migrations alone, being partial.
CREATE INDEX "inbox_retries_idx" ON "inbox"("workspace_id", "due_at", "id") WHERE "attempts" > 0;

-- The same of re-deliveries: a first delivery need not be in their index.
DROP INDEX "inbox_redelivery_id_idx";
CREATE INDEX "inbox_redelivery_idx" ON "inbox"("redelivery_id") WHERE "redelivery_id" IS NOT NULL;
