import type { ModelRequest, RejectedItem, TranscriptItem } from '@oneslot/core';
import { APIError } from 'openai';

/** The request itself was refused: malformed, too large, of a kind that is not taken. */
const refusals: ReadonlySet<number> = new Set([400, 413, 415, 422]);
const imageWords = /image|media.?type|base64|picture/i;
const sizeWords = /too (?:large|long|big)|context.?length|maximum (?:context|size|length)|exceeds?\b/i;

/**
 * Which item of the transcript a refusal is about: by the place it names, else the newest image or the largest text
 * where it speaks of those. `owners` leads from a place in what was sent to the place in the transcript.
 */
export function locateRejection(
  error: unknown,
  request: ModelRequest,
  owners: () => readonly (number | null)[],
): RejectedItem | null {
  if (!(error instanceof APIError) || !refusals.has(error.status ?? 0)) return null;
  const text = `${error.param ?? ''} ${error.message}`;
  const aboutImage = imageWords.test(text);
  const named = /(?:messages|input|contents)[.[](\d+)/.exec(text)?.[1];
  const at = named === undefined ? guess(request.transcript, aboutImage, text, error.status) : owners()[Number(named)];
  if (at === null || at === undefined || at < 0) return null;
  const item = request.transcript[at];
  return { at, part: aboutImage && item?.kind === 'result' && item.parts.length > 0 ? 'image' : 'text' };
}

function guess(
  transcript: readonly TranscriptItem[],
  aboutImage: boolean,
  text: string,
  status: number | undefined,
): number | null {
  const image = transcript.findLastIndex((item) => item.kind === 'result' && item.parts.length > 0);
  if (aboutImage && image >= 0) return image;
  if (status !== 413 && !sizeWords.test(text)) return null;
  const sizes = transcript.map((item) => (item.kind === 'result' ? item.content.length : 0));
  const largest = Math.max(0, ...sizes);
  return largest === 0 ? null : sizes.lastIndexOf(largest);
}
