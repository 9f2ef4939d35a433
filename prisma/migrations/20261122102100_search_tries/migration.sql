-- From where the search has begun to read, how often it began there, and how
-- many events it files alone now: a batch whose process died, or that failed,
-- is filed one event at a time.
ALTER TABLE "event_search_progress" ADD COLUMN "tries" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "event_search_progress" ADD COLUMN "alone_left" INTEGER NOT NULL DEFAULT 0;
INSERT INTO "event_search_progress" ("id", "xid", "seq") VALUES ('begun', '0', 0) ON CONFLICT DO NOTHING;
