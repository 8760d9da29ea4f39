import type { Word } from './read-words.ts';

/** The arguments of one program, asked about as options and operands. Over-careful: a letter in any cluster counts. */
export type Args = {
  words: readonly Word[];
  /** Some argument in the place of an option is known only at run time. */
  dynamic: boolean;
  operands: readonly string[];
  /** Any of these options: one letter for `-x` and clusters, more for `--xyz`, its abbreviations and `-xyz`. */
  has(...options: string[]): boolean;
  /** The value of an option, beside it or behind it; null where it is absent or unknown. */
  value(...options: string[]): string | null;
  texts: readonly string[];
};

export function readArgs(words: readonly Word[]): Args {
  const end = words.findIndex((word) => word.text === '--');
  const optionWords = end === -1 ? words : words.slice(0, end);
  const behind = end === -1 ? [] : words.slice(end + 1);
  const isOption = (text: string) => text.length > 1 && text.startsWith('-') && !/^-\d+$/.test(text);
  const options = optionWords.flatMap((word) => (word.text !== null && isOption(word.text) ? [word.text] : []));
  return {
    words,
    dynamic: optionWords.some((word) => word.text === null || (word.glob && !/^[\w./]/.test(word.source))),
    operands: [
      ...optionWords.flatMap((word) => (word.text === null ? [word.source] : isOption(word.text) ? [] : [word.text])),
      ...behind.map((word) => word.text ?? word.source),
    ],
    has: (...names) => options.some((option) => names.some((name) => matches(option, name))),
    value: (...names) => optionValue(optionWords, names),
    texts: words.flatMap((word) => (word.text === null ? [] : [word.text])),
  };
}

/** GNU programs take any unambiguous beginning of a long option, and some take long ones with one dash. */
function matches(option: string, name: string): boolean {
  if (name.length === 1) return !option.startsWith('--') && option.slice(1).includes(name);
  const [given = ''] = option.replace(/^--?/, '').split('=');
  if (option.startsWith('--')) return given.length > 0 && name.startsWith(given);
  return given === name;
}

function optionValue(words: readonly Word[], names: readonly string[]): string | null {
  for (const [index, word] of words.entries()) {
    const text = word.text ?? '';
    for (const name of names) {
      const dash = name.length === 1 ? `-${name}` : `--${name}`;
      if (text === dash) return words[index + 1]?.text ?? null;
      if (name.length === 1 && text.startsWith(dash)) return text.slice(2);
      if (name.length > 1 && text.startsWith(`${dash}=`)) return text.slice(dash.length + 1);
    }
  }
  return null;
}
