-- The bytes of a webhook that came, where others of the same JSON were signed: those are its body. Null for all others.
ALTER TABLE "events" ADD COLUMN "received_body" BYTEA;
