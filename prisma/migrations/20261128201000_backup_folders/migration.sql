-- Backup folders that workers look at, by their mark: an empty volume in the place of yesterday's has another one. The empty mark is of a folder
-- that can't be read. Folders of before count as seen now: their workers may still run the release before.
CREATE TABLE "backup_folders" (
  "place" TEXT NOT NULL,
  "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "backup_folders_pkey" PRIMARY KEY ("place")
);
INSERT INTO "backup_folders" ("place") SELECT DISTINCT "place" FROM "backups" WHERE "place" IS NOT NULL;

-- Since when the file of a good backup is not where it was written; null while it is there.
ALTER TABLE "backups" ADD COLUMN "missing_since" TIMESTAMPTZ(3);
