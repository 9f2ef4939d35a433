-- Missing events are set aside together, and for a time. snoozed_until is null for one that is snoozed until it happens again.
ALTER TABLE "missing_events" ADD COLUMN "dismissal_id" TEXT, ADD COLUMN "snoozed_by" TEXT, ADD COLUMN "snoozed_until" TIMESTAMPTZ(3);
