-- Until when the platform asked not to be asked for tokens again (Retry-After). Code that does not know it asks earlier.
ALTER TABLE "connections" ADD COLUMN "retry_after_until" TIMESTAMPTZ(3);
