-- What retention has deleted and the audit log does not tell of yet: counted in the transaction that deletes.
CREATE TABLE "retention_tallies" (
    "workspace_id" TEXT NOT NULL,
    "events" INTEGER NOT NULL,
    "received_from" TIMESTAMPTZ(3) NOT NULL,
    "received_to" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "retention_tallies_pkey" PRIMARY KEY ("workspace_id")
);
