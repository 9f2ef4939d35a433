-- Where a task stands, for the board's columns.
ALTER TABLE "views" ADD COLUMN "stage" TEXT;
UPDATE "views" SET "stage" = left("registers"->'stage'->>'v', 200) WHERE "kind" = 'task';
DROP INDEX "views_workspace_id_kind_parent_idx";
CREATE INDEX "views_workspace_id_kind_parent_stage_state_last_created_idx" ON "views"("workspace_id", "kind", "parent", "stage", "state", "last_created" DESC);
CREATE INDEX "views_updated_at_id_idx" ON "views"("updated_at", "id");

-- Tasks of one assignee, for the list's filter: a field in the registers needs an index of its own.
CREATE INDEX "views_assignee_idx" ON "views"("workspace_id", (coalesce("registers"->'assignee'->>'v', "registers"->'team'->>'v')), "last_created" DESC)
  WHERE "kind" = 'task';

-- Each event that put a task on a stage.
CREATE TABLE "task_moves" (
    "workspace_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "task_id" TEXT NOT NULL,
    "pipeline_id" TEXT,
    "from_stage" TEXT,
    "stage" TEXT,
    "creates" BOOLEAN NOT NULL,
    "at" BIGINT NOT NULL,

    CONSTRAINT "task_moves_pkey" PRIMARY KEY ("workspace_id","event_id")
);
CREATE INDEX "task_moves_workspace_id_task_id_idx" ON "task_moves"("workspace_id", "task_id");
CREATE INDEX "task_moves_workspace_id_pipeline_id_at_idx" ON "task_moves"("workspace_id", "pipeline_id", "at");

-- What should have come and, it seems, never did.
CREATE TABLE "findings" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "rule" TEXT NOT NULL,
    "resource_kind" TEXT NOT NULL,
    "resource_id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "evidence" TEXT[],
    "detail" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "opened_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),
    "dismissed_at" TIMESTAMPTZ(3),
    "dismissed_by" TEXT,

    CONSTRAINT "findings_key" PRIMARY KEY ("resource_id","resource_kind","rule","workspace_id")
);
CREATE UNIQUE INDEX "findings_id_key" ON "findings"("id");
CREATE INDEX "findings_workspace_id_state_since_id_idx" ON "findings"("workspace_id", "state", "since" DESC, "id");
CREATE INDEX "findings_state_due_at_idx" ON "findings"("state", "due_at");

-- How often a source speaks.
CREATE TABLE "source_paces" (
    "source_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "last_event_id" TEXT NOT NULL,
    "last_received_at" TIMESTAMPTZ(3) NOT NULL,
    "times" BIGINT[],
    "hours" INTEGER[],

    CONSTRAINT "source_paces_pkey" PRIMARY KEY ("source_id")
);
CREATE INDEX "source_paces_workspace_id_idx" ON "source_paces"("workspace_id");

-- How far the watch for what never came has read.
CREATE TABLE "finding_watch" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "view_id" TEXT NOT NULL,
    "heard_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "finding_watch_pkey" PRIMARY KEY ("id")
);
