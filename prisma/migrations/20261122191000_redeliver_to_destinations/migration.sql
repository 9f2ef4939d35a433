-- AlterTable
ALTER TABLE "redeliveries" ADD COLUMN "to_destinations" BOOLEAN NOT NULL DEFAULT false;
