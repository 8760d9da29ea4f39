import { digestOf } from '../approval/digest-call.ts';
import type { PlainOutput } from '../output/render-result.ts';
import type { LastAnswers } from './dispatcher-deps.ts';
import type { Plan } from './plan.ts';

/** Shorter answers are sent again: saying that nothing changed would spare nothing. */
const shortest = 1_000;

/** A line in place of an answer the model has in front of it already, word for word; null where it must be sent. */
export function tellUnchanged(plan: Plan, output: PlainOutput, answers: LastAnswers): string | null {
  if (plan.kind !== 'ready' || !plan.spec.tellsUnchanged || output.ok === false) return null;
  if (output.content.length < shortest) return null;
  const contentDigest = digestOf(output.content);
  const before = answers.get(plan.inputDigest);
  answers.set(
    plan.inputDigest,
    before?.contentDigest === contentDigest ? before : { callId: plan.call.callId, contentDigest },
  );
  if (before?.contentDigest !== contentDigest) return null;
  const what = plan.spec.title(plan.input);
  return `unchanged since last read: ${what} answers word for word as in call ${before.callId} (${output.content.length} characters), which still holds. To see a part again, ask for that part.`;
}
