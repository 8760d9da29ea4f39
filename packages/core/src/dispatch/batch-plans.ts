import type { Plan } from './plan.ts';

export type Batch = { kind: 'parallel' | 'serial'; indices: readonly number[] };

/** Neighbours that may overlap form one batch; every other call stands alone. The order of the calls is kept. */
export function batchPlans(plans: readonly Pick<Plan, 'concurrent'>[]): Batch[] {
  const batches: { kind: Batch['kind']; indices: number[] }[] = [];
  plans.forEach((plan, index) => {
    const last = batches.at(-1);
    if (plan.concurrent && last?.kind === 'parallel') last.indices.push(index);
    else batches.push({ kind: plan.concurrent ? 'parallel' : 'serial', indices: [index] });
  });
  return batches;
}
