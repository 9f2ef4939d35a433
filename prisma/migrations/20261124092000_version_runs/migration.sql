-- When each version of Signalbox was running: charts mark updates and the times at which it was not.
CREATE TABLE "version_runs" (
    "id" BIGSERIAL NOT NULL,
    "version" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "version_runs_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "version_runs_seen_at_idx" ON "version_runs"("seen_at");
