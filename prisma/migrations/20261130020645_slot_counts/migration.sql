-- CreateTable
CREATE TABLE "SlotCount" (
    "sessionId" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "organizationId" TEXT NOT NULL,
    "modelId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SlotCount_pkey" PRIMARY KEY ("sessionId","seq","kind","name")
);

-- CreateIndex
CREATE INDEX "SlotCount_organizationId_at_idx" ON "SlotCount"("organizationId", "at");
