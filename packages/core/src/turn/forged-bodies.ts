/** What stands between the ends of a marker pair, and whether it is a call or people talking about calls. */
const invisible = /[\u200b-\u200d\u2060\ufeff]/g;

/** Mere prose around or behind a marker: words, and nothing a call is made of. */
export function isProse(body: string): boolean {
  return !/[{}[\]<>=]|\w\(/.test(body) && body.trim().split(/\s+/).length >= 2;
}

/** Dots for what was left out: somebody shows the form, whatever stands in its opener. */
export function isElided(body: string): boolean {
  return /^\s*(?:…|\.{3})\s*$/.test(body);
}

/** A pair that is talked about: several words of prose, or a word set off by blanks. */
export function isMention(body: string, agent: boolean): boolean {
  const plain = body.replace(invisible, '');
  if (/[{}[\]<>=]|\w\(/.test(plain) || plain.trim() === '') return false;
  if (/^[ \t].*[ \t]$/.test(plain)) return true;
  // The tags of prompted agents hold bare commands, which read like prose.
  return !agent && isProse(plain);
}

/** What follows an opener that never closes looks like a call: nothing, a brace, bracket or tag, or a name and then one. */
export function startsLikeCall(body: string): boolean {
  const plain = body.replace(invisible, '').trimStart();
  return plain === '' || /^[{[<]/.test(plain) || /^[\w.:-]+\s*(?:[{<[(]|\n\s*`)/.test(plain);
}

/** Finds the end of a bracketed value, string-aware; keeps its place between chunks. */
export class JsonScan {
  private at: number;
  private depth = 0;
  private inString = false;

  /** `at` is the index of the opening bracket. */
  constructor(at: number) {
    this.at = at;
  }

  /** Index behind the closing bracket, counted like the one given; null while it has not come. */
  advance(text: string, offset: number): number | null {
    for (; this.at + offset < text.length; this.at += 1) {
      const char = text[this.at + offset];
      if (this.inString) {
        if (char === '\\') this.at += 1;
        else if (char === '"') this.inString = false;
      } else if (char === '"') this.inString = true;
      else if (char === '{' || char === '[') this.depth += 1;
      else if ((char === '}' || char === ']') && --this.depth === 0) {
        this.at += 1;
        return this.at;
      }
    }
    return null;
  }
}
