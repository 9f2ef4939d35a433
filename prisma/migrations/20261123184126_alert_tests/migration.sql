-- Test messages of the last day, a row for each recipient: how many a person, a channel and an address may have.
CREATE TABLE "alert_tests" (
  "id" BIGSERIAL NOT NULL,
  "workspace_id" TEXT NOT NULL,
  "send_id" BIGINT NOT NULL,
  "channel_id" TEXT NOT NULL,
  "asked_by" TEXT NOT NULL,
  "address" TEXT,
  "known" BOOLEAN NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "alert_tests_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "alert_tests_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "alert_tests_at_idx" ON "alert_tests" ("at");
