-- What each worker has counted since it began, and what those that are gone had:
-- the worker has no port, so the web process tells it in /metrics.
ALTER TABLE "worker_heartbeats" ADD COLUMN "counters" JSONB NOT NULL DEFAULT '{}';
CREATE TABLE "worker_totals" (
    "name" TEXT NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "worker_totals_pkey" PRIMARY KEY ("name")
);
