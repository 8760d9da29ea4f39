import type { EnvelopeGone } from '../contract/ports.ts';

/** What became of a stored output, for the model and for people: what it was, when it went and why. */
export function describeGone(ref: string, gone: EnvelopeGone): string {
  const what = gone.title === null ? gone.tool : `${gone.tool} (${gone.title.slice(0, 120)})`;
  const why =
    gone.why === 'expired'
      ? `stored outputs are kept for ${gone.keptDays} days`
      : 'newer outputs needed the room that is kept for them';
  return `The stored output ${ref} of ${what} was removed on ${new Date(gone.at).toISOString()}: ${why}.`;
}
