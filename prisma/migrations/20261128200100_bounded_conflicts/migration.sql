-- Length of a conflicting body, of which the beginning or nothing is kept; null for those that were kept whole before.
ALTER TABLE "event_conflicts" ADD COLUMN "body_bytes" INTEGER;
-- The form that a quarantined request verified in: released, it is read as what was signed.
ALTER TABLE "quarantine" ADD COLUMN "signature_form" TEXT;
