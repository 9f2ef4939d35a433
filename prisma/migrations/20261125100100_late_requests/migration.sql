-- False: what is rightly signed and arrives after its time limit is quarantined, also where its ID is signed.
ALTER TABLE "sources" ADD COLUMN "keep_late" BOOLEAN NOT NULL DEFAULT true;
