-- Who renews a connection holds it until then; a process that dies holds it no longer.
ALTER TABLE "connections" ADD COLUMN "claimed_until" TIMESTAMPTZ(3);

-- What the worker looks for every few seconds.
CREATE INDEX "connections_next_refresh_at_idx" ON "connections"("next_refresh_at");
