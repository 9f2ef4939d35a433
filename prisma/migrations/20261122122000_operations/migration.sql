-- One model of long operations. The runs of rebuilds had all that one needs: a
-- state, progress, who runs it and when that process last said so. Other kinds
-- are kept beside them. Code of the release before runs beside this one during
-- an update and knows the old name: a view keeps it for a while. PostgreSQL
-- writes through such a view, and what is written so is a rebuild.
ALTER TABLE "view_rebuilds" RENAME TO "operations";
ALTER TABLE "operations" RENAME CONSTRAINT "view_rebuilds_pkey" TO "operations_pkey";
ALTER TABLE "operations"
  ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'rebuild',
  ADD COLUMN "input" JSONB NOT NULL DEFAULT '{}',
  ADD COLUMN "counts" JSONB NOT NULL DEFAULT '{}',
  ADD COLUMN "checkpoint" JSONB;
ALTER TABLE "operations" ALTER COLUMN "dry_run" SET DEFAULT false;

DROP INDEX "view_rebuilds_state_created_at_idx";
ALTER INDEX "view_rebuilds_workspace_id_created_at_idx" RENAME TO "operations_workspace_id_created_at_idx";
CREATE INDEX "operations_kind_state_created_at_idx" ON "operations" ("kind", "state", "created_at");

CREATE VIEW "view_rebuilds" AS
  SELECT id, workspace_id, state, dry_run, phase, done, total, requested_by, created_at, started_at, finished_at,
         stop_requested, runner, claims, beat_at, report, failure
    FROM "operations" WHERE kind = 'rebuild';
