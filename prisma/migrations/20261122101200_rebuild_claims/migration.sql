-- How often a rebuild was begun without being given back: a worker that dies of
-- one must not take the next worker with it, and so on without end.
ALTER TABLE "view_rebuilds" ADD COLUMN "claims" INTEGER NOT NULL DEFAULT 0;
