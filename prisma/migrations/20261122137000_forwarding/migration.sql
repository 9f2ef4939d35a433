-- Forwarding: where events are handed on to, what must be handed on, and what came of it.
-- CreateTable
CREATE TABLE "destinations" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "source_ids" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "types" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "filter" JSONB,
    "mode" TEXT NOT NULL,
    "ordered" BOOLEAN NOT NULL DEFAULT false,
    "rate" INTEGER,
    "concurrency" INTEGER NOT NULL DEFAULT 10,
    "state" TEXT NOT NULL DEFAULT 'active',
    "state_reason" TEXT,
    "state_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "state_by" TEXT,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "failures_in_row" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "last_success_at" TIMESTAMPTZ(3),
    "last_failure_at" TIMESTAMPTZ(3),
    "last_failure_code" TEXT,
    "last_failure_text" TEXT,
    "probe_at" TIMESTAMPTZ(3),
    "probes" INTEGER NOT NULL DEFAULT 0,
    "attempts_delivered" BIGINT NOT NULL DEFAULT 0,
    "attempts_failed" BIGINT NOT NULL DEFAULT 0,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "destinations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "destination_secrets" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "destination_id" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "valid_until" TIMESTAMPTZ(3),

    CONSTRAINT "destination_secrets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "destination_senders" (
    "destination_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "sender" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "destination_senders_pkey" PRIMARY KEY ("destination_id")
);

-- CreateTable
CREATE TABLE "destination_minutes" (
    "destination_id" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "minute" TIMESTAMPTZ(3) NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "delivered" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "destination_minutes_pkey" PRIMARY KEY ("destination_id","epoch","minute")
);

-- CreateTable
CREATE TABLE "forward_deliveries" (
    "id" BIGSERIAL NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "destination_id" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "seq" BIGINT NOT NULL,
    "event_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "last_code" TEXT,
    "last_text" TEXT,

    CONSTRAINT "forward_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "forward_attempts" (
    "id" BIGSERIAL NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "destination_id" TEXT NOT NULL,
    "delivery_id" BIGINT NOT NULL,
    "number" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "outcome" TEXT NOT NULL,
    "detail" TEXT NOT NULL,
    "probe" BOOLEAN NOT NULL DEFAULT false,
    "url" TEXT NOT NULL,
    "request_headers" JSON NOT NULL,
    "status" INTEGER,
    "response_headers" JSON,
    "response_body" BYTEA,
    "remote_address" TEXT,
    "dns_ms" INTEGER,
    "connect_ms" INTEGER,
    "tls_ms" INTEGER,
    "first_byte_ms" INTEGER,
    "total_ms" INTEGER NOT NULL,

    CONSTRAINT "forward_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "destinations_workspace_id_created_at_idx" ON "destinations"("workspace_id", "created_at");

-- CreateIndex
CREATE INDEX "destination_secrets_destination_id_idx" ON "destination_secrets"("destination_id");

-- CreateIndex
CREATE INDEX "destination_secrets_key_id_idx" ON "destination_secrets"("key_id");

-- CreateIndex
CREATE INDEX "destination_minutes_minute_idx" ON "destination_minutes"("minute");

-- CreateIndex
CREATE INDEX "forward_deliveries_received_at_seq_idx" ON "forward_deliveries"("received_at", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "forward_deliveries_key" ON "forward_deliveries"("destination_id", "received_at" DESC, "seq" DESC);

-- CreateIndex
CREATE INDEX "forward_attempts_delivery_id_idx" ON "forward_attempts"("delivery_id");

-- CreateIndex
CREATE INDEX "forward_attempts_destination_id_id_idx" ON "forward_attempts"("destination_id", "id" DESC);

-- AddForeignKey
ALTER TABLE "destinations" ADD CONSTRAINT "destinations_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "destination_secrets" ADD CONSTRAINT "destination_secrets_destination_id_fkey" FOREIGN KEY ("destination_id") REFERENCES "destinations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What a sender reads next; the head of each subject; what can be sent again by hand.
CREATE INDEX "forward_deliveries_due_idx" ON "forward_deliveries" ("destination_id", "due_at", "id") WHERE "state" = 'pending';
CREATE INDEX "forward_deliveries_subject_idx" ON "forward_deliveries" ("destination_id", "subject", "received_at", "seq") WHERE "state" = 'pending';
CREATE INDEX "forward_deliveries_exhausted_idx" ON "forward_deliveries" ("destination_id", "received_at", "seq") WHERE "state" IN ('exhausted', 'skipped');

-- Rows are updated once or twice in their life and many of them at once: leave room for it beside them.
ALTER TABLE "forward_deliveries" SET (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);
