-- A source says who sends (template), how that sender signs where the template asks (scheme), where its events' parts
-- stand in place of the template's (reading), and what its events become (records). An archived source receives nothing.
ALTER TABLE "sources"
  ADD COLUMN "template" TEXT NOT NULL DEFAULT 'platform',
  ADD COLUMN "scheme" JSONB NOT NULL DEFAULT '{}',
  ADD COLUMN "reading" JSONB,
  ADD COLUMN "records" TEXT NOT NULL DEFAULT 'platform',
  ADD COLUMN "archived_at" TIMESTAMPTZ(3);
