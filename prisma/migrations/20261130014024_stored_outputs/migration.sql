-- AlterTable
ALTER TABLE "Envelope" ADD COLUMN     "kind" TEXT NOT NULL DEFAULT 'output',
ADD COLUMN     "removedAt" TIMESTAMPTZ(3),
ADD COLUMN     "removedReason" TEXT,
ADD COLUMN     "storedBytes" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "EnvelopeChunk" ADD COLUMN     "rawBytes" INTEGER;

-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "outputHold" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "organization" ADD COLUMN     "cheapModelId" TEXT,
ADD COLUMN     "outputHold" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "outputQuotaMib" INTEGER,
ADD COLUMN     "outputRetentionDays" INTEGER;

-- CreateIndex
CREATE INDEX "Envelope_organizationId_state_createdAt_idx" ON "Envelope"("organizationId", "state", "createdAt");

-- What was there before: texts of conversations are told from outputs, and nothing was compressed.
UPDATE "Envelope" SET kind = 'transcript' WHERE origin = 'transcript';
UPDATE "Envelope" e SET "storedBytes" = c.total
FROM (SELECT "envelopeId", sum(length(bytes))::int AS total FROM "EnvelopeChunk" GROUP BY "envelopeId") c
WHERE c."envelopeId" = e.id;
