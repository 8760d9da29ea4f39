-- AlterTable
ALTER TABLE "Turn" ADD COLUMN     "stopRequestedAt" TIMESTAMPTZ(3);
