import { randomUUID } from 'node:crypto';
import { HostError } from '@oneslot/core';
import type { Database, Prisma } from '@oneslot/db';
import { z } from 'zod';
import type { ModelRow, ModelStore } from './contract.ts';
import type { SecretBox } from './secret-box.ts';

const withProvider = { provider: true } satisfies Prisma.ModelInclude;
const dialectColumn = z.enum(['openai-chat', 'openai-responses']);

export function createModelStore({ prisma }: Database, box: SecretBox): ModelStore {
  return {
    listModels: async (organizationId) => {
      const rows = await prisma.model.findMany({
        where: { organizationId },
        include: withProvider,
        orderBy: [{ createdAt: 'asc' }, { name: 'asc' }],
      });
      return rows.map(toRow);
    },
    getModel: async (organizationId, modelId) => {
      const row = await prisma.model.findFirst({ where: { id: modelId, organizationId }, include: withProvider });
      return row && toRow(row);
    },
    readModelKey: async (organizationId, providerId) => {
      const row = await prisma.modelProvider.findFirst({
        where: { id: providerId, organizationId },
        select: { keyCiphertext: true },
      });
      return row?.keyCiphertext ? openKey(box, row.keyCiphertext, contextOf(organizationId, providerId)) : null;
    },
    addProvider: async ({ apiKey, models, organizationId, ...row }) => {
      const taken = await prisma.modelProvider.findFirst({
        where: { organizationId, name: row.name },
        select: { id: true },
      });
      if (taken) throw new HostError('conflict', `A provider named "${row.name}" is already there.`);
      const id = randomUUID();
      const keyCiphertext = apiKey === null ? null : box.seal(apiKey, contextOf(organizationId, id));
      const names = [...new Set(models)].map((name) => ({ name, organizationId }));
      await prisma.modelProvider.create({
        data: { id, organizationId, ...row, keyCiphertext, models: { create: names } },
      });
      return id;
    },
    removeProvider: async (organizationId, providerId) => {
      const { count } = await prisma.modelProvider.deleteMany({ where: { id: providerId, organizationId } });
      return count === 1;
    },
    defaultModel: async (organizationId) => {
      const row = await prisma.organization.findUnique({
        where: { id: organizationId },
        select: { defaultModelId: true },
      });
      return row?.defaultModelId ?? null;
    },
    setDefaultModel: async (organizationId, modelId) => {
      await prisma.organization.updateMany({ where: { id: organizationId }, data: { defaultModelId: modelId } });
    },
    cheapModel: async (organizationId) => {
      const row = await prisma.organization.findUnique({
        where: { id: organizationId },
        select: { cheapModelId: true },
      });
      return row?.cheapModelId ?? null;
    },
    setCheapModel: async (organizationId, modelId) => {
      await prisma.organization.updateMany({ where: { id: organizationId }, data: { cheapModelId: modelId } });
    },
  };
}

function contextOf(organizationId: string, providerId: string): string {
  return `provider-key:${organizationId}:${providerId}`;
}

function openKey(box: SecretBox, sealed: Uint8Array, context: string): string {
  try {
    return box.open(sealed, context);
  } catch (cause) {
    throw new HostError(
      'unavailable',
      'The stored key of this provider cannot be read with the present ONESLOT_SECRET_KEY.',
      {
        next: 'Start with the secret key it was stored with, or add the provider again.',
        cause,
      },
    );
  }
}

function toRow(row: Prisma.ModelGetPayload<{ include: typeof withProvider }>): ModelRow {
  const { provider } = row;
  return {
    id: row.id,
    organizationId: row.organizationId,
    name: row.name,
    providerId: provider.id,
    providerName: provider.name,
    dialect: dialectColumn.parse(provider.dialect),
    baseUrl: provider.baseUrl,
    hasKey: provider.keyCiphertext !== null,
  };
}
