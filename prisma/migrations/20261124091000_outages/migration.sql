-- When webhooks may have been lost through us: what the receiver answered 503 and 429, by source and minute, and when no
-- receiver ran at all.
CREATE TABLE "outage_minutes" (
    "source_id" TEXT NOT NULL,
    "minute" TIMESTAMPTZ(3) NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "unavailable" INTEGER NOT NULL,
    "limited" INTEGER NOT NULL,

    CONSTRAINT "outage_minutes_pkey" PRIMARY KEY ("source_id", "minute")
);

-- CreateIndex
CREATE INDEX "outage_minutes_workspace_id_minute_idx" ON "outage_minutes"("workspace_id", "minute");

-- CreateIndex
CREATE INDEX "outage_minutes_minute_idx" ON "outage_minutes"("minute");

-- A web process from its start until it was last seen.
CREATE TABLE "receiver_runs" (
    "id" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "receiver_runs_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "receiver_runs_started_at_idx" ON "receiver_runs"("started_at");

-- Up to when a workspace has looked after its outages.
CREATE TABLE "outage_dismissals" (
    "workspace_id" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "outage_dismissals_pkey" PRIMARY KEY ("workspace_id")
);
