/** Finds lines worth keeping in what is about to be cut away. Texts are latin1, one character a byte. */
export type Rescuer = {
  push(text: string): void;
  /** Lines that lie at least in part within [from, to), in their order, together at most `room` bytes. */
  finish(region: { from: number; to: number; room: number }): string[];
};

type Line = { text: string; at: number; end: number; count: number; weight: number };

const maxLines = 80;
const maxLineBytes = 400;
/** Distinct lines remembered; what comes later is counted with those already there or let go. */
const maxRemembered = 1_000;
/** Small pieces are gathered to this size before they are looked through. */
const blockBytes = 8 * 1024;
/** A line this long is looked at in parts. */
const maxCarryBytes = 16 * 1024;

const severe = /error|fail|fatal|panic|assert|exception|traceback/i;
// Spelled out, because a search that ignores case costs several times as much on the longest outputs.
const worthKeeping =
  /[Ee]rror|ERROR|[Ff]ail|FAIL|[Ff]atal|FATAL|[Pp]anic|PANIC|[Aa]ssert|ASSERT|[Ee]xception|[Tt]raceback|[Ww]arn|WARN|test result|\b[Tt]ests?:? {1,9}\d|\d (?:passed|passing|failing)/g;

export function createRescuer(): Rescuer {
  const lines = new Map<string, Line>();
  let carry = '';
  let waiting = '';
  let at = 0;
  const remember = (text: string, start: number, match: number) => {
    const shown = excerpt(text.replace(/\r$/, ''), match);
    const known = lines.get(shown);
    if (known) {
      known.count += 1;
      known.end = Math.max(known.end, start + text.length);
    } else if (lines.size < maxRemembered) {
      lines.set(shown, {
        text: shown,
        at: start,
        end: start + text.length,
        count: 1,
        weight: severe.test(shown) ? 1 : 0,
      });
    }
  };
  const scan = (text: string) => {
    let done = -1;
    for (const found of text.matchAll(worthKeeping)) {
      if (found.index < done) continue;
      const start = text.lastIndexOf('\n', found.index) + 1;
      const newline = text.indexOf('\n', found.index);
      done = newline === -1 ? text.length : newline;
      remember(text.slice(start, done), at + start, found.index - start);
    }
    at += text.length;
  };
  return {
    push(text) {
      waiting += text;
      if (waiting.length < blockBytes) return;
      const all = carry + waiting;
      waiting = '';
      const newline = all.lastIndexOf('\n') + 1;
      const until = all.length - newline > maxCarryBytes ? all.length : newline;
      carry = all.slice(until);
      if (until > 0) scan(all.slice(0, until));
    },
    finish({ from, to, room }) {
      scan(carry + waiting);
      carry = '';
      waiting = '';
      const inside = [...lines.values()].filter((line) => line.end > from && line.at < to);
      return fit(inside, room).map(withCount);
    },
  };
}

/** The severe ones first where not all fit, but in the order they stood. */
function fit(lines: readonly Line[], room: number): Line[] {
  const chosen = new Set<Line>();
  let left = room;
  for (const line of [...lines].sort((a, b) => b.weight - a.weight || a.at - b.at)) {
    const bytes = withCount(line).length + 1;
    if (chosen.size >= maxLines || bytes > left) continue;
    chosen.add(line);
    left -= bytes;
  }
  return lines.filter((line) => chosen.has(line));
}

function withCount(line: Line): string {
  return line.count === 1 ? line.text : `${line.text} (x${line.count})`;
}

/** At most 400 bytes of a long line, with the word that made it worth keeping, cut between characters. */
function excerpt(text: string, match: number): string {
  if (text.length <= maxLineBytes) return text;
  const start = match < maxLineBytes - 100 ? 0 : match - 100;
  const cut = text.slice(start, start + maxLineBytes - 8).replace(/^[\x80-\xbf]+|[\xc2-\xf4][\x80-\xbf]{0,2}$/g, '');
  return `${start > 0 ? '...' : ''}${cut}...`;
}
