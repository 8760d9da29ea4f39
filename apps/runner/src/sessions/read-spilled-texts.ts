import type { StoredEvent } from '@oneslot/core';
import type { EnvelopeRows } from '../store/contract.ts';
import { spilledRefs } from './build-transcript.ts';

/** The texts of a conversation that were too long for their rows, whole, by ref. */
export async function readSpilledTexts(
  envelopes: Pick<EnvelopeRows, 'envelopeInfo' | 'readEnvelope'>,
  sessionId: string,
  events: readonly StoredEvent[],
): Promise<Map<string, string>> {
  const texts = spilledRefs(events).map(async (ref) => {
    const info = await envelopes.envelopeInfo(sessionId, ref);
    const bytes = await envelopes.readEnvelope(sessionId, ref, 0, info?.bytes ?? 0);
    return [ref, Buffer.from(bytes).toString()] as const;
  });
  return new Map(await Promise.all(texts));
}
