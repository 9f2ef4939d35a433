-- Backups in an object store: which one, and whether the object may still be there. Null: never meant for one.
ALTER TABLE "backups" ADD COLUMN "store" TEXT;
ALTER TABLE "backups" ADD COLUMN "stored" BOOLEAN NOT NULL DEFAULT false;
-- Restores of the newest object into a scratch database, which prove that it can be restored. Like the backups, they tell of
-- this database and are not in a backup.
CREATE TABLE "backup_proofs" (
    "id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "file" TEXT NOT NULL,
    "database" TEXT NOT NULL,
    "dropped" BOOLEAN NOT NULL DEFAULT false,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "runner" TEXT NOT NULL,
    "beat_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "failure" TEXT,

    CONSTRAINT "backup_proofs_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "backup_proofs_started_at_idx" ON "backup_proofs"("started_at" DESC);
