-- Alerts: rules, channels, what happened, who must be told and whether it arrived.
-- CreateTable
CREATE TABLE "alert_rules" (
    "workspace_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "threshold" INTEGER,
    "muted_until" TIMESTAMPTZ(3),
    "muted_by" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "alert_rules_pkey" PRIMARY KEY ("workspace_id","kind")
);

-- CreateTable
CREATE TABLE "alert_channels" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "rules" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "recipients" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "target" TEXT NOT NULL,
    "sealed" TEXT,
    "key_id" TEXT,
    "sender" TEXT,
    "sender_until" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "last_sent_at" TIMESTAMPTZ(3),
    "last_failure_at" TIMESTAMPTZ(3),
    "last_failure_text" TEXT,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "alert_channels_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert_episodes" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "rule" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "detail" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "count" INTEGER,
    "unit" TEXT,
    "opened_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closed_at" TIMESTAMPTZ(3),
    "notified" TEXT NOT NULL DEFAULT 'none',
    "remind_at" TIMESTAMPTZ(3),

    CONSTRAINT "alert_episodes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert_notifications" (
    "id" BIGSERIAL NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "episode_id" TEXT,
    "kind" TEXT NOT NULL,
    "number" INTEGER NOT NULL DEFAULT 1,
    "count" INTEGER,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "alert_notifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert_sends" (
    "id" BIGSERIAL NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "notification_id" BIGINT NOT NULL,
    "channel_id" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "outcome" TEXT,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "alert_sends_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert_snoozes" (
    "workspace_id" TEXT NOT NULL,
    "rule" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3),
    "by" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "alert_snoozes_pkey" PRIMARY KEY ("workspace_id","rule","subject")
);

-- CreateTable
CREATE TABLE "alert_watch" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "heartbeat_at" TIMESTAMPTZ(3),

    CONSTRAINT "alert_watch_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "alert_channels_workspace_id_created_at_idx" ON "alert_channels"("workspace_id", "created_at");

-- CreateIndex
CREATE INDEX "alert_channels_key_id_idx" ON "alert_channels"("key_id");

-- CreateIndex
CREATE INDEX "alert_episodes_workspace_id_opened_at_id_idx" ON "alert_episodes"("workspace_id", "opened_at" DESC, "id");

-- CreateIndex
CREATE UNIQUE INDEX "alert_notifications_key" ON "alert_notifications"("episode_id", "kind", "number");

-- CreateIndex
CREATE INDEX "alert_notifications_at_idx" ON "alert_notifications"("at");

-- CreateIndex
CREATE UNIQUE INDEX "alert_sends_key" ON "alert_sends"("notification_id", "channel_id");

-- AddForeignKey
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_channels" ADD CONSTRAINT "alert_channels_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_episodes" ADD CONSTRAINT "alert_episodes_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_notifications" ADD CONSTRAINT "alert_notifications_episode_id_fkey" FOREIGN KEY ("episode_id") REFERENCES "alert_episodes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_sends" ADD CONSTRAINT "alert_sends_notification_id_fkey" FOREIGN KEY ("notification_id") REFERENCES "alert_notifications"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_sends" ADD CONSTRAINT "alert_sends_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "alert_channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One open episode of a rule and subject; those of which people may still have to be told; what a sender looks for.
CREATE UNIQUE INDEX "alert_episodes_open_key" ON "alert_episodes" ("workspace_id", "rule", "subject") WHERE "closed_at" IS NULL;
CREATE INDEX "alert_episodes_unsettled_idx" ON "alert_episodes" ("id") WHERE "closed_at" IS NULL OR "notified" = 'open';
CREATE INDEX "alert_episodes_closed_idx" ON "alert_episodes" ("workspace_id", "rule", "subject", "closed_at") WHERE "closed_at" IS NOT NULL;
CREATE INDEX "alert_sends_pending_idx" ON "alert_sends" ("channel_id", "due_at") WHERE "state" = 'pending';
