-- Since then the source's webhooks are held in quarantine, until it is resumed.
ALTER TABLE "sources" ADD COLUMN "paused_at" TIMESTAMPTZ(3);
