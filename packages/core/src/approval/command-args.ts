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
  /**
   * Like `has`, for options that make a program harmless: not a letter that may be part of another option's value,
   * and not the word behind an option of `valued`.
   */
  surely(options: readonly string[], valued: readonly string[]): boolean;
  /** The operands, less the words behind an option of `valued` that stands alone. */
  operandsBeside(valued: readonly string[]): readonly string[];
  texts: readonly string[];
};

export function readArgs(words: readonly Word[]): Args {
  const end = words.findIndex((word) => word.text === '--');
  const optionWords = end === -1 ? words : words.slice(0, end);
  const behind = end === -1 ? [] : words.slice(end + 1);
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
    surely: (names, valued) => isSurely(optionWords, names, valued),
    operandsBeside: (valued) => [
      ...optionWords.flatMap((word, index) => {
        const before = optionWords[index - 1]?.text ?? '';
        const isValue = valued.some((name) => before === (name.length === 1 ? `-${name}` : `--${name}`));
        return isValue || isOption(word.text ?? '') ? [] : [word.text ?? word.source];
      }),
      ...behind.map((word) => word.text ?? word.source),
    ],
    texts: words.flatMap((word) => (word.text === null ? [] : [word.text])),
  };
}

const isOption = (text: string) => text.length > 1 && text.startsWith('-') && !/^-\d+$/.test(text);

function isSurely(words: readonly Word[], names: readonly string[], valued: readonly string[]): boolean {
  for (let at = 0; at < words.length; at += 1) {
    const text = words[at]?.text ?? '';
    if (!isOption(text)) continue;
    const [given = '', value] = text.replace(/^--?/, '').split('=');
    if (given.length > 1 && names.some((name) => name === given || (text.startsWith('--') && name.startsWith(given))))
      return true;
    if (text.startsWith('--')) {
      if (value === undefined && valued.includes(given)) at += 1;
      continue;
    }
    for (const [index, letter] of [...text.slice(1)].entries()) {
      if (names.includes(letter)) return true;
      if (!valued.includes(letter)) continue;
      if (index === text.length - 2) at += 1;
      break;
    }
  }
  return false;
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
