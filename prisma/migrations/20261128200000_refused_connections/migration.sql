-- Why the database refused a worker a connection within the last minute: a worker that is alive and gets none applies nothing.
ALTER TABLE "worker_heartbeats" ADD COLUMN "refused" TEXT;
