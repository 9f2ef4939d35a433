-- Backups to BACKUP_DIR: asked for, under way, made. They are of the whole
-- installation; the table itself is not in a backup.
CREATE TABLE "backups" (
    "id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "requested" BOOLEAN NOT NULL,
    "file" TEXT,
    "kept" BOOLEAN NOT NULL DEFAULT true,
    "phase" TEXT,
    "done" BIGINT NOT NULL DEFAULT 0,
    "total" BIGINT NOT NULL DEFAULT 0,
    "events" BIGINT,
    "file_bytes" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "stop_requested" BOOLEAN NOT NULL DEFAULT false,
    "runner" TEXT,
    "beat_at" TIMESTAMPTZ(3),
    "failure" TEXT,

    CONSTRAINT "backups_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "backups_created_at_idx" ON "backups"("created_at" DESC);
