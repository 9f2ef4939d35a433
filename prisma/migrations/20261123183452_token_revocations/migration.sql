-- Tokens that are out of use here and still to be revoked at the platform, and what became of each.
-- CreateTable
CREATE TABLE "token_revocations" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "connection_id" TEXT NOT NULL,
    "sealed" TEXT,
    "key_id" TEXT,
    "account" TEXT,
    "what" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "token_revocations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "token_revocations_workspace_id_connection_id_idx" ON "token_revocations"("workspace_id", "connection_id");

-- CreateIndex
CREATE INDEX "token_revocations_key_id_idx" ON "token_revocations"("key_id");

-- AddForeignKey
ALTER TABLE "token_revocations" ADD CONSTRAINT "token_revocations_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What a worker looks for.
CREATE INDEX "token_revocations_due_idx" ON "token_revocations" ("due_at") WHERE "state" = 'waiting';
