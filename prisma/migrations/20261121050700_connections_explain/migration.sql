-- Whose account it was before another one came back, and the platform's own id of the link.
ALTER TABLE "connections" ADD COLUMN "account_before" TEXT,
ADD COLUMN "integration_id" TEXT;

-- An event of the platform stands in a connection's timeline once, however often it is applied.
ALTER TABLE "connection_history" ADD COLUMN "event_id" TEXT;
CREATE UNIQUE INDEX "connection_history_connection_id_event_id_key" ON "connection_history"("connection_id", "event_id");

-- The sandbox platform: misbehaving renewals, and the refresh tokens that must not come back.
ALTER TABLE "sandbox_grants" ADD COLUMN "fault" TEXT;
CREATE TABLE "sandbox_spent_tokens" (
    "token_hash" TEXT NOT NULL,
    "grant_id" TEXT NOT NULL,
    "spent_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sandbox_spent_tokens_pkey" PRIMARY KEY ("token_hash")
);
