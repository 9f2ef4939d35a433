-- The path and query of a URL hold tokens: url and target keep the origin, and the whole URL is sealed beside it. Rows
-- of the version before are sealed by a job of the workers, when no worker of that version is left.
ALTER TABLE "destinations" ADD COLUMN "url_sealed" TEXT, ADD COLUMN "url_key_id" TEXT;
ALTER TABLE "alert_channels" ADD COLUMN "target_sealed" TEXT, ADD COLUMN "target_key_id" TEXT;

-- The newest migration that a worker's code knows; null for workers of earlier versions.
ALTER TABLE "worker_heartbeats" ADD COLUMN "knows" TEXT;
