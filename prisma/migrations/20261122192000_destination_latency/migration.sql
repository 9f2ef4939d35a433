-- AlterTable
ALTER TABLE "destinations" ADD COLUMN "latency_counts" BIGINT[] DEFAULT ARRAY[]::BIGINT[],
ADD COLUMN "latency_sum_ms" BIGINT NOT NULL DEFAULT 0;
