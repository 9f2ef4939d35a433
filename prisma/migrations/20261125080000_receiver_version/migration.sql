-- The version of Signalbox that a web process ran; charts mark when it changed.
ALTER TABLE "receiver_runs" ADD COLUMN "version" TEXT;
