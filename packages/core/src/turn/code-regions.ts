/** What a line starts: code and quotations keep their text byte for byte. */
export type LineStart =
  | { kind: 'fence'; mark: string; info: string; length: number }
  | { kind: 'verbatim' | 'plain' | 'wait' };

// All repetitions are bounded: a line that never ends must not be read again with every chunk.
const fencePattern = /^[ \t]{0,100}(?:(?:[-*+]|\d{1,3}[.)])[ \t]{1,20})?(`{3,100}|~{3,100})([^\n`]{0,300})(?:\n|$)/;
const partialFence = /^[ \t]{0,100}(?:(?:[-*+]|\d{1,3}[.)])[ \t]{0,20})?(?:`{1,100}|~{1,100})?$/;
const longestSpan = 2_000;

/** Follows Markdown as far as it decides what is code: fences, indented lines, quotations and inline spans. */
export class CodeRegions {
  fence: string | null = null;
  /** The backticks of a span that may still turn out to be open. */
  span = 0;
  atLineStart = true;
  private lineHasText = false;
  private mayIndent = true;

  /** Judges the line at the start of `rest`; an unfinished line may have to wait. */
  lineStart(rest: string, final: boolean): LineStart {
    const newline = rest.indexOf('\n');
    const line = newline < 0 ? rest : rest.slice(0, newline);
    const whole = newline >= 0 || final;
    if (this.fence === null && /^(?: {4}| {0,3}\t)/.test(line) && this.mayIndent) return { kind: 'verbatim' };
    const opener = fencePattern.exec(rest);
    if (this.fence !== null) return this.fenceLine(line, whole);
    if (opener) {
      const [all, mark = '', info = ''] = opener;
      return whole ? { kind: 'fence', mark, info: info.trim(), length: all.length } : { kind: 'wait' };
    }
    if (!whole && partialFence.test(line)) return { kind: 'wait' };
    return { kind: /^ {0,3}>/.test(line) ? 'verbatim' : 'plain' };
  }

  private fenceLine(line: string, whole: boolean): LineStart {
    const bare = line.trim();
    if (!whole && line.length < 200 && /^(?:`*|~*)$/.test(bare)) return { kind: 'wait' };
    if (this.fence !== null && closesFence(bare, this.fence)) this.fence = null;
    return { kind: 'verbatim' };
  }

  /** Takes note of text that was shown. */
  shown(text: string): void {
    for (const char of text) {
      if (char === '\n') this.endLine();
      else if (char.trim() !== '') this.lineHasText = true;
    }
  }

  private endLine(): void {
    // Indented code cannot interrupt a paragraph, and a blank line ends whatever span was left open.
    if (!this.lineHasText) this.span = 0;
    this.mayIndent = !this.lineHasText || (this.indented && this.mayIndent);
    this.atLineStart = true;
    this.lineHasText = false;
    this.indented = false;
  }

  /** The line now being shown is indented code. */
  indented = false;
}

function closesFence(bare: string, fence: string): boolean {
  return bare.length >= fence.length && bare === fence.charAt(0).repeat(bare.length);
}

/** Whether a span of `ticks` backticks closes within the paragraph; null while nobody knows. */
export function spanEnd(rest: string, ticks: number, final: boolean): number | 'none' | null {
  const near = rest.slice(0, longestSpan);
  const paragraph = /\n[ \t]*\n/.exec(near);
  const within = paragraph ? near.slice(0, paragraph.index) : near;
  for (const run of within.matchAll(/`+/g)) {
    const end = run.index + run[0].length;
    if (run[0].length === ticks && (paragraph || final || end < near.length)) return end;
  }
  return paragraph || final || near.length === longestSpan ? 'none' : null;
}
