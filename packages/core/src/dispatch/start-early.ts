import type { EarlyCalls } from './dispatch-state.ts';
import { executePlan } from './execute-batches.ts';
import type { Outcome, ReadyPlan } from './plan.ts';
import { planEarly } from './plan-calls.ts';

type Early = { plan: ReadyPlan; outcome: Promise<Outcome>; abort: AbortController };

export function createEarlyCalls(): EarlyCalls {
  let started = new Map<string, Early>();
  let leading = true;
  return {
    start(call, state, signal) {
      if (!leading) return;
      const plan = planEarly(call, state);
      leading = plan.concurrent;
      if (plan.kind !== 'ready' || !startsEarly(plan) || started.has(call.callId)) return;
      // The count comes with the answer; until then equal calls ahead of this one must not slip past it.
      if ([...started.values()].filter((one) => one.plan.inputDigest === plan.inputDigest).length > 1) return;
      const abort = new AbortController();
      const outcome = executePlan(plan, state, { signal: AbortSignal.any([signal, abort.signal]), early: true });
      started.set(call.callId, { plan, outcome, abort });
    },
    take(plan) {
      const early = started.get(plan.call.callId);
      if (!early) return null;
      started.delete(plan.call.callId);
      if (
        early.plan.spec.name === plan.spec.name &&
        early.plan.inputDigest === plan.inputDigest &&
        plan.decision === 'run'
      )
        return early.outcome;
      early.abort.abort();
      return null;
    },
    discard() {
      for (const { abort } of started.values()) abort.abort();
      started = new Map();
      leading = true;
    },
  };
}

/** Network tools wait: their level depends on the host, and a request is an effect that a discarded answer cannot take back. */
function startsEarly(plan: ReadyPlan): boolean {
  return (
    plan.concurrent &&
    plan.decision === 'run' &&
    !plan.spec.capabilities.has('network') &&
    plan.repair?.synthesized !== true
  );
}
