-- Filters of lists under a name, for the person who saved them or for the whole workspace.
CREATE TABLE "saved_filters" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "owner_id" TEXT NOT NULL,
    "owner_name" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "page" TEXT NOT NULL,
    "filter" JSONB NOT NULL,
    "shared" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_filters_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "saved_filters_workspace_id_owner_id_idx" ON "saved_filters" ("workspace_id", "owner_id");
ALTER TABLE "saved_filters" ADD CONSTRAINT "saved_filters_workspace_id_fkey"
  FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
