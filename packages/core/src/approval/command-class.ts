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
  return findings.reduce(
    (held, one) => (order.indexOf(one.class) > order.indexOf(held.class) || (one.refuse && !held.refuse) ? one : held),
    readOnly,
  );
}

/** At least `grade`, and worse where `inner` is. */
export function atLeast(grade: CommandClass, reason: string, inner: readonly Finding[] = []): Finding {
  return worst([found(grade, reason), ...inner]);
}
