-- CreateTable
CREATE TABLE "sandbox_signing_secrets" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sandbox_signing_secrets_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "sandbox_signing_secrets_created_at_idx" ON "sandbox_signing_secrets"("created_at");
