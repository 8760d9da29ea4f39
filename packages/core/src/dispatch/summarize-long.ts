import type { Summaries, Summary } from '../contract/ports.ts';
import { isLong, summarizeOutput, summaryLimitMs } from '../output/summarize-output.ts';
import type { DispatcherDeps } from './dispatcher-deps.ts';
import type { Plan } from './plan.ts';

type SummaryDeps = Pick<DispatcherDeps, 'cheapModel' | 'clock' | 'randomBytes'>;

/** A tool that reads stored outputs has a time limit of its own, which a summary must not use up. */
const withinToolMs = 8_000;

/** What a tool may ask for: a summary by the organization's model, or null where it names none. */
export function createSummaries(deps: SummaryDeps, signal: AbortSignal, limitMs = withinToolMs): Summaries {
  return {
    async summarize(request) {
      const model = deps.cheapModel?.() ?? null;
      if (model === null) return null;
      const { clock, randomBytes } = deps;
      return summarizeOutput(request, { model, clock, randomBytes, signal, limitMs });
    },
  };
}

/** A synthesis of a long text of a tool that allows it; null where the text is shown as it is. `text` is redacted already. */
export async function summarizeLong(
  plan: Plan,
  text: string,
  deps: SummaryDeps,
  signal: AbortSignal,
): Promise<Summary | null> {
  if (!maySummarize(plan) || !isLong(text)) return null;
  const request = { text, tool: plan.spec?.name ?? plan.call.name, bytes: Buffer.byteLength(text) };
  return createSummaries(deps, signal, summaryLimitMs).summarize(request);
}

/** Tools of this house say so themselves: their pages are made to be read word for word. */
function maySummarize({ spec }: Plan): boolean {
  if (!spec) return false;
  return spec.summarize ?? (spec.source.startsWith('mcp:') || spec.source.startsWith('extension:'));
}
