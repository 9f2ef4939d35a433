-- What the worker found out about a quarantined request. `diagnosed_with` names what it was found with (secrets, scheme,
-- mapping): when that changes, the request is looked at again. Null: not looked at yet.
ALTER TABLE "quarantine"
  ADD COLUMN "diagnosis" JSONB,
  ADD COLUMN "diagnosis_code" TEXT,
  ADD COLUMN "diagnosis_about" TEXT,
  ADD COLUMN "likely_real" BOOLEAN,
  ADD COLUMN "diagnosed_with" TEXT;

CREATE INDEX "quarantine_undiagnosed_idx" ON "quarantine"("source_id", "received_at" DESC, "id" DESC)
  WHERE "released_at" IS NULL AND "diagnosed_with" IS NULL;
CREATE INDEX "quarantine_of_source_idx" ON "quarantine"("source_id", "received_at" DESC, "id" DESC) WHERE "released_at" IS NULL;

-- How many requests of a source were rejected, by minute, and how many of those were kept.
CREATE TABLE "rejection_minutes" (
  "source_id" TEXT NOT NULL,
  "minute" TIMESTAMPTZ(3) NOT NULL,
  "workspace_id" TEXT NOT NULL,
  "rejected" INTEGER NOT NULL,
  "kept" INTEGER NOT NULL,
  CONSTRAINT "rejection_minutes_pkey" PRIMARY KEY ("source_id", "minute")
);
CREATE INDEX "rejection_minutes_minute_idx" ON "rejection_minutes"("minute");
