-- What a developer's local app answered, sent there by `signalbox listen` or
-- `signalbox replay`. Kept beside the log: it says nothing of the events'
-- processing, and it goes after 30 days.
CREATE TABLE "local_deliveries" (
    "id" BIGSERIAL NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "command" TEXT NOT NULL,
    "listener" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "redelivery_id" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "status" INTEGER,
    "error" TEXT,
    "duration_ms" INTEGER NOT NULL,
    "body" TEXT,
    "recorded_by" TEXT NOT NULL,

    CONSTRAINT "local_deliveries_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "local_deliveries_workspace_id_event_id_at_idx" ON "local_deliveries" ("workspace_id", "event_id", "at" DESC);
CREATE INDEX "local_deliveries_at_idx" ON "local_deliveries" ("at");

-- The commands that are connected now.
CREATE TABLE "listeners" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "types" TEXT[] NOT NULL,
    "source" TEXT,
    "opened_by" TEXT NOT NULL,
    "connected_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "listeners_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "listeners_workspace_id_connected_at_idx" ON "listeners" ("workspace_id", "connected_at");

-- Where a re-delivery stands among the events, so that a listener's cursor
-- passes both in one order. Null where an earlier version began it: no listener
-- was told then.
ALTER TABLE "redeliveries" ADD COLUMN "position" xid8;
CREATE INDEX "redeliveries_workspace_id_position_idx" ON "redeliveries" ("workspace_id", "position");
