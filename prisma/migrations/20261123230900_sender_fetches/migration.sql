-- What a worker fetches from a sender: certificates, and subscriptions to confirm. A row lives until that is done or given up.
CREATE TABLE "sender_fetches" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "source_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "url_sealed" TEXT NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sender_fetches_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "sender_fetches_due_at_idx" ON "sender_fetches"("due_at");

-- CreateIndex
CREATE INDEX "sender_fetches_source_id_idx" ON "sender_fetches"("source_id");

-- AddForeignKey
ALTER TABLE "sender_fetches" ADD CONSTRAINT "sender_fetches_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "sources"("id") ON DELETE CASCADE ON UPDATE CASCADE;
