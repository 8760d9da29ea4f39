import type { CommandClass } from '../contract/tool-spec.ts';

/** A part's class and why; the line's class is that of its worst part. */
export type Finding = {
  class: CommandClass;
  reason: string;
  /** Set where no mode and nobody may run it. */
  refuse?: string;
};

const order: readonly CommandClass[] = ['read-only', 'writes', 'network', 'executes', 'destructive'];

export const readOnly: Finding = { class: 'read-only', reason: '' };
export const found = (grade: CommandClass, reason: string): Finding => ({ class: grade, reason });

export function worst(findings: readonly Finding[]): Finding {
  return findings.reduce(worseOf, readOnly);
}

/** The worse class; a refusal of either part is one of the whole, however mild its own class. */
function worseOf(held: Finding, one: Finding): Finding {
  const step = order.indexOf(one.class) - order.indexOf(held.class);
  const worse = step > 0 || (step === 0 && one.refuse !== undefined && held.refuse === undefined) ? one : held;
  const refuse = held.refuse ?? one.refuse;
  return refuse === undefined || worse.refuse !== undefined ? worse : { ...worse, refuse };
}

/** At least `grade`, and worse where `inner` is. */
export function atLeast(grade: CommandClass, reason: string, inner: readonly Finding[] = []): Finding {
  return worst([found(grade, reason), ...inner]);
}
