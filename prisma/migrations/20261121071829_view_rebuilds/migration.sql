-- Rebuilds of the views from the log, and checks that change nothing.
CREATE TABLE "view_rebuilds" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "dry_run" BOOLEAN NOT NULL,
    "phase" TEXT,
    "done" BIGINT NOT NULL DEFAULT 0,
    "total" BIGINT NOT NULL DEFAULT 0,
    "requested_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "stop_requested" BOOLEAN NOT NULL DEFAULT false,
    "runner" TEXT,
    "beat_at" TIMESTAMPTZ(3),
    "report" JSONB,
    "failure" TEXT,

    CONSTRAINT "view_rebuilds_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "view_rebuilds_workspace_id_created_at_idx" ON "view_rebuilds"("workspace_id", "created_at" DESC);
CREATE INDEX "view_rebuilds_state_created_at_idx" ON "view_rebuilds"("state", "created_at");
