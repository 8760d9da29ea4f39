import type { Database } from '@oneslot/db';
import type { ModelStatistics, SlotCountStore } from './contract.ts';

export function createSlotCountStore({ prisma }: Database): SlotCountStore {
  return {
    byModel: async (organizationId, since) => {
      const rows = await prisma.slotCount.groupBy({
        by: ['modelId', 'kind', 'name'],
        where: { organizationId, at: { gte: since } },
        _sum: { count: true },
        orderBy: [{ modelId: 'asc' }, { kind: 'asc' }, { name: 'asc' }],
      });
      const models = new Map<string, ModelStatistics>();
      for (const { modelId, kind, name, _sum } of rows) {
        const model = models.get(modelId) ?? emptyStatistics(modelId);
        models.set(modelId, model);
        add(model, kind, name, _sum.count ?? 0);
      }
      return [...models.values()].sort((a, b) => b.calls - a.calls);
    },
  };
}

function emptyStatistics(modelId: string): ModelStatistics {
  return { modelId, answers: 0, calls: 0, mended: 0, forged: 0, loops: 0, rungs: [], refusals: [] };
}

function add(model: ModelStatistics, kind: string, name: string, count: number): void {
  if (kind === 'answer') model.answers += count;
  if (kind === 'call') model.calls += count;
  if (kind === 'mended') model.mended += count;
  if (kind === 'forged') model.forged += count;
  if (kind === 'loop') model.loops += count;
  if (kind === 'rung') model.rungs.push({ name, count });
  if (kind === 'refusal') model.refusals.push({ name, count });
}
