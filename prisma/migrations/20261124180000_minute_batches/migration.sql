-- A minute's counts that are added again after a lost answer count once.
CREATE TABLE "minute_batches" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "minute_batches_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "minute_batches_at_idx" ON "minute_batches"("at");
