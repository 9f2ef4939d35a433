-- What records a source's events make that are not the platform's: kind, and where ID, state and title stand.
ALTER TABLE "sources" ADD COLUMN "record" JSONB;
