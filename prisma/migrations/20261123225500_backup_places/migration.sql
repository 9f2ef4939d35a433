-- The folder that a backup's file is in: workers may have folders of their own. Null: written by an earlier version.
ALTER TABLE "backups" ADD COLUMN "place" TEXT;
