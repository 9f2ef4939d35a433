-- CreateTable
CREATE TABLE "sandbox_receivers" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "answer" TEXT NOT NULL DEFAULT 'ok',
    "every" INTEGER NOT NULL DEFAULT 3,
    "status" INTEGER NOT NULL DEFAULT 500,
    "delay_ms" INTEGER NOT NULL DEFAULT 0,
    "requests" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sandbox_receivers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_receiver_secrets" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "receiver_id" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sandbox_receiver_secrets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_received" (
    "id" BIGSERIAL NOT NULL,
    "receiver_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "event_id" TEXT,
    "type" TEXT,
    "delivery_id" TEXT,
    "attempt" INTEGER,
    "signature" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "headers" JSON NOT NULL,
    "body" TEXT NOT NULL,

    CONSTRAINT "sandbox_received_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_receivers_workspace_id_key" ON "sandbox_receivers"("workspace_id");

-- CreateIndex
CREATE INDEX "sandbox_receiver_secrets_receiver_id_idx" ON "sandbox_receiver_secrets"("receiver_id");

-- CreateIndex
CREATE INDEX "sandbox_received_receiver_id_id_idx" ON "sandbox_received"("receiver_id", "id" DESC);

-- AddForeignKey
ALTER TABLE "sandbox_receivers" ADD CONSTRAINT "sandbox_receivers_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_receiver_secrets" ADD CONSTRAINT "sandbox_receiver_secrets_receiver_id_fkey" FOREIGN KEY ("receiver_id") REFERENCES "sandbox_receivers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_received" ADD CONSTRAINT "sandbox_received_receiver_id_fkey" FOREIGN KEY ("receiver_id") REFERENCES "sandbox_receivers"("id") ON DELETE CASCADE ON UPDATE CASCADE;
