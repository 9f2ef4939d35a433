-- CreateTable
CREATE TABLE "issues" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "words" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open',
    "state_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "state_by" TEXT,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "sample_event_id" TEXT NOT NULL,

    CONSTRAINT "issues_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "issue_events" (
    "issue_id" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "seq" BIGINT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "created" BIGINT NOT NULL,
    "subject" TEXT,
    "failed_at" TIMESTAMPTZ(3) NOT NULL,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "issue_events_pkey" PRIMARY KEY ("issue_id","received_at","seq")
);

-- CreateIndex
CREATE INDEX "issues_workspace_id_last_seen_at_id_idx" ON "issues"("workspace_id", "last_seen_at" DESC, "id");

-- CreateIndex
CREATE INDEX "issue_events_issue_id_failed_at_idx" ON "issue_events"("issue_id", "failed_at");

-- CreateIndex
CREATE INDEX "issue_events_received_at_seq_idx" ON "issue_events"("received_at", "seq");

-- CreateIndex
CREATE INDEX "issue_events_workspace_id_subject_idx" ON "issue_events"("workspace_id", "subject");

-- What had failed before issues were kept is applied again by the worker, which is harmless, and files it.
INSERT INTO "inbox" ("workspace_id", "received_at", "seq")
SELECT e.workspace_id, e.received_at, e.seq FROM "events" e
WHERE e.received_at > now() - INTERVAL '30 days'
  AND (e.type IN ('document.error', 'automation.error', 'integration.error')
    OR EXISTS (SELECT 1 FROM "dead_letters" d WHERE d.received_at = e.received_at AND d.seq = e.seq));
