import type { Piece } from './clean-output.ts';
import { createRescuer, type Rescuer } from './rescue-lines.ts';

/** All sizes in bytes. `extra` is what notes, pointer and rescued lines may take on top of `limit`. */
export type CutRule = { limit: number; head: number; tail: number; extra: number };

/** About 8,000 tokens: what started stands first, what failed stands last. */
export const commandCut: CutRule = { limit: 30_000, head: 22_000, tail: 8_000, extra: 2_048 };
/** Errors and results that are no command output: the head alone, because what follows is asked for by page. */
export const generalCut: CutRule = { limit: 100 * 1024, head: 32 * 1024, tail: 0, extra: 2_048 };

/** What is kept of one stream while it flows by: at most twice the limit, however long it is. */
export type OutputView = {
  push(piece: Piece): void;
  /** Bytes shown if nothing were cut. */
  shownBytes(): number;
  rawBytes(): number;
  cut(budget: number): Cut;
};
/** Texts are latin1, one character a byte. `cutOffset` is the first raw byte that is not in `head`. */
export type Cut = {
  head: string;
  tail: string;
  omittedBytes: number;
  cutOffset: number | null;
  rescued: (room: number) => string[];
};

const blockBytes = 16 * 1024;

export function createOutputView(rule: CutRule): OutputView {
  const marks: { shown: number; raw: number }[] = [{ shown: 0, raw: 0 }];
  const rescuer: Rescuer = createRescuer();
  let head = '';
  // Blocks, so that dropping the oldest copies nothing; small pieces share one.
  const tail: string[] = [''];
  let tailBytes = 0;
  let shown = 0;
  let raw = 0;
  return {
    push(piece) {
      if (head.length < rule.limit) {
        head += piece.shown.slice(0, rule.limit - head.length);
        marks.push({ shown: shown + piece.shown.length, raw: raw + piece.rawBytes });
      }
      shown += piece.shown.length;
      raw += piece.rawBytes;
      if (piece.shown === '') return;
      if (rule.tail > 0) rescuer.push(piece.shown);
      const newest = tail.length - 1;
      if ((tail[newest]?.length ?? 0) < blockBytes) tail[newest] += piece.shown;
      else tail.push(piece.shown);
      tailBytes += piece.shown.length;
      while (tail.length > 1 && tailBytes - (tail[0]?.length ?? 0) >= rule.limit)
        tailBytes -= tail.shift()?.length ?? 0;
    },
    shownBytes: () => shown,
    rawBytes: () => raw,
    cut(budget) {
      if (shown <= budget) return { head, tail: '', omittedBytes: 0, cutOffset: null, rescued: () => [] };
      const headBytes = Math.floor((budget * rule.head) / (rule.head + rule.tail));
      const kept = head.slice(0, startOfCharacter(head, headBytes));
      const last = tail.join('');
      const from = endOfCharacter(last, Math.max(0, last.length - (budget - headBytes)));
      const end = rule.tail > 0 ? last.slice(from) : '';
      return {
        head: kept,
        tail: end,
        omittedBytes: shown - kept.length - end.length,
        cutOffset: rawOffset(marks, kept.length),
        rescued: (room) => rescuer.finish({ from: kept.length, to: shown - end.length, room }),
      };
    },
  };
}

/** One budget for all streams: a small one is shown whole, the others share what it leaves. */
export function shareBudget(sizes: readonly number[], budget: number): number[] {
  const shares = sizes.map(() => 0);
  let left = budget;
  let open = sizes.map((size, index) => ({ size, index })).sort((a, b) => a.size - b.size);
  while (open.length > 0) {
    const fair = Math.floor(left / open.length);
    const [smallest] = open;
    if (!smallest) break;
    shares[smallest.index] = Math.min(smallest.size, fair);
    left -= Math.min(smallest.size, fair);
    open = open.slice(1);
  }
  return shares;
}

/** Cuts fall between characters: a continuation byte belongs to the one before it. */
function startOfCharacter(text: string, at: number): number {
  let start = at;
  while (start > 0 && isContinuation(text, start)) start -= 1;
  return start;
}

function endOfCharacter(text: string, at: number): number {
  let end = at;
  while (end < text.length && isContinuation(text, end)) end += 1;
  return end;
}

function isContinuation(text: string, at: number): boolean {
  const byte = text.charCodeAt(at);
  return byte >= 0x80 && byte <= 0xbf;
}

/** Inside one piece shown and raw bytes are equal, or the piece shows nothing a cut could fall into. */
function rawOffset(marks: readonly { shown: number; raw: number }[], shown: number): number {
  const before = marks.findLast((mark) => mark.shown <= shown) ?? { shown: 0, raw: 0 };
  return before.raw + (shown - before.shown);
}
