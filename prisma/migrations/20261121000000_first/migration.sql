-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "role" AS ENUM ('owner', 'admin', 'developer', 'viewer');

-- CreateTable
CREATE TABLE "workspaces" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspaces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT,
    "password_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("workspace_id","user_id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id_hash" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id_hash")
);

-- CreateTable
CREATE TABLE "setup_links" (
    "token_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "setup_links_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "sign_in_failures" (
    "email_hash" TEXT NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "last_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "locked_until" TIMESTAMPTZ(3),

    CONSTRAINT "sign_in_failures_pkey" PRIMARY KEY ("email_hash")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hint" TEXT NOT NULL,
    "key_hash" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "connections" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "account" TEXT,
    "required_scopes" TEXT[],
    "granted_scopes" TEXT[],
    "access_expires_at" TIMESTAMPTZ(3),
    "expiry_known" BOOLEAN NOT NULL DEFAULT true,
    "problem_code" TEXT,
    "problem_detail" TEXT,
    "problem_at" TIMESTAMPTZ(3),
    "last_proven_at" TIMESTAMPTZ(3),
    "last_refresh_at" TIMESTAMPTZ(3),
    "next_refresh_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 0,
    "connected_by" TEXT,
    "connected_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "connections_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "connection_tokens" (
    "connection_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "access_sealed" TEXT NOT NULL,
    "refresh_sealed" TEXT,
    "key_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "connection_tokens_pkey" PRIMARY KEY ("connection_id")
);

-- CreateTable
CREATE TABLE "authorization_attempts" (
    "state_hash" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "connection_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "session_hash" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "verifier_sealed" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "authorization_attempts_pkey" PRIMARY KEY ("state_hash")
);

-- CreateTable
CREATE TABLE "connection_history" (
    "id" BIGSERIAL NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "connection_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "kind" TEXT NOT NULL,
    "code" TEXT,
    "detail" TEXT,
    "actor" TEXT,

    CONSTRAINT "connection_history_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sources" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sources_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "source_secrets" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "source_id" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "valid_until" TIMESTAMPTZ(3),

    CONSTRAINT "source_secrets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "seq" BIGINT NOT NULL,
    "xid" xid8 NOT NULL DEFAULT pg_current_xact_id(),
    "workspace_id" TEXT NOT NULL,
    "source_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "created" BIGINT NOT NULL,
    "recognised" BOOLEAN NOT NULL,
    "signature_form" TEXT NOT NULL,
    "secret_id" TEXT NOT NULL,
    "body" BYTEA NOT NULL,
    "headers" JSONB NOT NULL,
    "remote_address" TEXT,

    CONSTRAINT "events_pkey" PRIMARY KEY ("received_at","seq")
) PARTITION BY RANGE ("received_at");

-- Numbers of the log. One sequence over all partitions.
CREATE SEQUENCE "events_seq" AS BIGINT CACHE 1;

-- Bodies compress well and are read one at a time: lz4 is faster both ways.
-- A server that was built without it (the embedded one) keeps its default.
DO $$ BEGIN
  ALTER TABLE "events" ALTER COLUMN "body" SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;

-- Where a row goes whose month has no partition yet: nothing is ever refused
-- for the want of one.
CREATE TABLE "events_default" PARTITION OF "events" DEFAULT;

-- Makes the monthly partitions from the one of `from_day` on, `months` of them.
-- Called at every start and once a day by the worker.
CREATE FUNCTION "ensure_event_partitions"("from_day" DATE, "months" INT) RETURNS INT
LANGUAGE plpgsql AS $$
DECLARE
  first DATE := date_trunc('month', from_day)::DATE;
  lower_bound DATE;
  made INT := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('ensure_event_partitions'));
  FOR i IN 0 .. months - 1 LOOP
    lower_bound := (first + make_interval(months => i))::DATE;
    IF to_regclass(format('events_%s', to_char(lower_bound, 'YYYY_MM'))) IS NULL THEN
      EXECUTE format(
        'CREATE TABLE %I PARTITION OF events FOR VALUES FROM (%L) TO (%L)',
        'events_' || to_char(lower_bound, 'YYYY_MM'),
        to_char(lower_bound, 'YYYY-MM-DD') || ' 00:00:00+00',
        to_char(lower_bound + INTERVAL '1 month', 'YYYY-MM-DD') || ' 00:00:00+00');
      made := made + 1;
    END IF;
  END LOOP;
  RETURN made;
END $$;

-- CreateTable
CREATE TABLE "event_keys" (
    "source_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "seq" BIGINT NOT NULL,
    "body_sha256" BYTEA NOT NULL,
    "repeats" INTEGER NOT NULL DEFAULT 0,
    "last_repeat_at" TIMESTAMPTZ(3),

    CONSTRAINT "event_keys_pkey" PRIMARY KEY ("source_id","event_id")
);

-- CreateTable
CREATE TABLE "event_conflicts" (
    "source_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "body_sha256" BYTEA NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "body" BYTEA NOT NULL,
    "headers" JSONB NOT NULL,
    "repeats" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "event_conflicts_pkey" PRIMARY KEY ("source_id","event_id","body_sha256")
);

-- CreateTable
CREATE TABLE "event_refs" (
    "workspace_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "ref" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "seq" BIGINT NOT NULL,

    CONSTRAINT "event_refs_pkey" PRIMARY KEY ("workspace_id","kind","ref","received_at","seq")
);

-- CreateTable
CREATE TABLE "inbox" (
    "id" BIGSERIAL NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "seq" BIGINT NOT NULL,
    "redelivery_id" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "inbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attempts" (
    "id" BIGSERIAL NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "seq" BIGINT NOT NULL,
    "redelivery_id" TEXT,
    "number" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "outcome" TEXT NOT NULL,
    "failure_code" TEXT,
    "failure_text" TEXT,

    CONSTRAINT "attempts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "dead_letters" (
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "seq" BIGINT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "failure_code" TEXT NOT NULL,
    "failure_text" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "died_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "dead_letters_pkey" PRIMARY KEY ("received_at","seq")
);

-- CreateTable
CREATE TABLE "redeliveries" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT,
    "filter" JSONB,
    "state" TEXT NOT NULL,
    "total" INTEGER NOT NULL,
    "requested_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "redeliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "quarantine" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "source_id" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "reason" TEXT NOT NULL,
    "detail" TEXT NOT NULL,
    "verified" BOOLEAN NOT NULL,
    "body" BYTEA NOT NULL,
    "body_bytes" INTEGER NOT NULL,
    "headers" JSONB NOT NULL,
    "remote_address" TEXT,
    "admitted_at" TIMESTAMPTZ(3),
    "admitted_by" TEXT,

    CONSTRAINT "quarantine_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "views" (
    "workspace_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "registers" JSONB NOT NULL,
    "state" TEXT NOT NULL,
    "failed" BOOLEAN NOT NULL DEFAULT false,
    "parent" TEXT,
    "last_created" BIGINT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "views_pkey" PRIMARY KEY ("id","kind","workspace_id")
);

-- CreateTable
CREATE TABLE "worker_heartbeats" (
    "id" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "worker_heartbeats_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_codes" (
    "code_hash" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "account" TEXT NOT NULL,
    "challenge" TEXT,
    "fault" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "grant_id" TEXT,

    CONSTRAINT "sandbox_codes_pkey" PRIMARY KEY ("code_hash")
);

-- CreateTable
CREATE TABLE "sandbox_grants" (
    "id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "account" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "access_hash" TEXT NOT NULL,
    "refresh_hash" TEXT NOT NULL,
    "access_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "sandbox_grants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_deliveries" (
    "id" BIGSERIAL NOT NULL,
    "event_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "body" BYTEA NOT NULL,
    "signature" TEXT,
    "fault" TEXT,
    "story" TEXT,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_status" INTEGER,
    "last_answer" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "done_at" TIMESTAMPTZ(3),

    CONSTRAINT "sandbox_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "memberships_user_id_idx" ON "memberships"("user_id");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_key_hash_key" ON "api_keys"("key_hash");

-- CreateIndex
CREATE INDEX "api_keys_workspace_id_idx" ON "api_keys"("workspace_id");

-- CreateIndex
CREATE INDEX "connections_workspace_id_created_at_idx" ON "connections"("workspace_id", "created_at");

-- CreateIndex
CREATE INDEX "connection_tokens_key_id_idx" ON "connection_tokens"("key_id");

-- CreateIndex
CREATE INDEX "authorization_attempts_session_hash_created_at_idx" ON "authorization_attempts"("session_hash", "created_at");

-- CreateIndex
CREATE INDEX "authorization_attempts_expires_at_idx" ON "authorization_attempts"("expires_at");

-- CreateIndex
CREATE INDEX "authorization_attempts_connection_id_idx" ON "authorization_attempts"("connection_id");

-- CreateIndex
CREATE INDEX "connection_history_connection_id_id_idx" ON "connection_history"("connection_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "sources_name_key" ON "sources"("name");

-- CreateIndex
CREATE INDEX "sources_workspace_id_idx" ON "sources"("workspace_id");

-- CreateIndex
CREATE INDEX "source_secrets_source_id_idx" ON "source_secrets"("source_id");

-- CreateIndex
CREATE INDEX "source_secrets_key_id_idx" ON "source_secrets"("key_id");

-- CreateIndex
CREATE INDEX "events_workspace_id_received_at_seq_idx" ON "events"("workspace_id", "received_at" DESC, "seq" DESC);

-- CreateIndex
CREATE INDEX "events_workspace_id_type_received_at_seq_idx" ON "events"("workspace_id", "type", "received_at" DESC, "seq" DESC);

-- CreateIndex
CREATE INDEX "events_xid_seq_idx" ON "events"("xid", "seq");

-- CreateIndex
CREATE INDEX "event_keys_workspace_id_event_id_idx" ON "event_keys"("workspace_id", "event_id");

-- CreateIndex
CREATE INDEX "event_refs_workspace_id_ref_received_at_seq_idx" ON "event_refs"("workspace_id", "ref", "received_at" DESC, "seq" DESC);

-- CreateIndex
CREATE INDEX "event_refs_received_at_seq_idx" ON "event_refs"("received_at", "seq");

-- CreateIndex
CREATE INDEX "inbox_due_at_id_idx" ON "inbox"("due_at", "id");

-- CreateIndex
CREATE INDEX "inbox_received_at_seq_idx" ON "inbox"("received_at", "seq");

-- CreateIndex
CREATE INDEX "inbox_redelivery_id_idx" ON "inbox"("redelivery_id");

-- CreateIndex
CREATE INDEX "attempts_received_at_seq_idx" ON "attempts"("received_at", "seq");

-- CreateIndex
CREATE INDEX "attempts_workspace_id_at_idx" ON "attempts"("workspace_id", "at");

-- CreateIndex
CREATE INDEX "dead_letters_workspace_id_died_at_idx" ON "dead_letters"("workspace_id", "died_at");

-- CreateIndex
CREATE INDEX "redeliveries_workspace_id_created_at_idx" ON "redeliveries"("workspace_id", "created_at");

-- CreateIndex
CREATE INDEX "quarantine_workspace_id_received_at_id_idx" ON "quarantine"("workspace_id", "received_at" DESC, "id");

-- CreateIndex
CREATE INDEX "quarantine_received_at_idx" ON "quarantine"("received_at");

-- CreateIndex
CREATE INDEX "views_workspace_id_kind_last_created_id_idx" ON "views"("workspace_id", "kind", "last_created" DESC, "id");

-- CreateIndex
CREATE INDEX "views_workspace_id_kind_state_last_created_id_idx" ON "views"("workspace_id", "kind", "state", "last_created" DESC, "id");

-- CreateIndex
CREATE INDEX "views_workspace_id_kind_parent_idx" ON "views"("workspace_id", "kind", "parent");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_grants_access_hash_key" ON "sandbox_grants"("access_hash");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_grants_refresh_hash_key" ON "sandbox_grants"("refresh_hash");

-- CreateIndex
CREATE INDEX "sandbox_deliveries_state_due_at_idx" ON "sandbox_deliveries"("state", "due_at");

-- CreateIndex
CREATE INDEX "sandbox_deliveries_created_at_idx" ON "sandbox_deliveries"("created_at" DESC);

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connections" ADD CONSTRAINT "connections_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connection_tokens" ADD CONSTRAINT "connection_tokens_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connections"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "authorization_attempts" ADD CONSTRAINT "authorization_attempts_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connections"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connection_history" ADD CONSTRAINT "connection_history_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connections"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sources" ADD CONSTRAINT "sources_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "source_secrets" ADD CONSTRAINT "source_secrets_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "sources"("id") ON DELETE CASCADE ON UPDATE CASCADE;


