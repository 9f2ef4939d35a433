-- AlterTable
ALTER TABLE "alert_channels" ADD COLUMN     "held_until" TIMESTAMPTZ(3);
