-- Each workspace has a sandbox platform of its own. What names no workspace is the first workspace's: the worker takes it over.
CREATE TABLE "sandbox_platforms" (
    "workspace_id" TEXT NOT NULL,
    "source" TEXT NOT NULL,

    CONSTRAINT "sandbox_platforms_pkey" PRIMARY KEY ("workspace_id")
);

ALTER TABLE "sandbox_platforms" ADD CONSTRAINT "sandbox_platforms_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "sandbox_codes" ADD COLUMN "workspace_id" TEXT;

ALTER TABLE "sandbox_grants" ADD COLUMN "workspace_id" TEXT;

ALTER TABLE "sandbox_deliveries" ADD COLUMN "workspace_id" TEXT;

CREATE INDEX "sandbox_grants_workspace_id_idx" ON "sandbox_grants"("workspace_id");

CREATE INDEX "sandbox_deliveries_workspace_id_state_due_at_idx" ON "sandbox_deliveries"("workspace_id", "state", "due_at");
