-- Whether a person reads times in their own time zone or in UTC.
ALTER TABLE "users" ADD COLUMN "time_zone" TEXT NOT NULL DEFAULT 'local';
