/**
 * The stem of an English word in lower case, so that `converting`, `converts` and `conversion` meet.
 * Source: M. F. Porter, An algorithm for suffix stripping, 1980.
 */
export function stemWord(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  return stepFive(stepFour(stepThree(stepTwo(stepOne(word)))));
}

const vowel = '(?:[aeiou]|(?<=[^aeiou])y)';
const consonant = '(?:[^aeiouy]|(?<![^aeiou])y)';
const measured = (times: string) => new RegExp(`^${consonant}*(?:${vowel}+${consonant}+)${times}`);
const someMeasure = measured('{1,}');
const moreMeasure = measured('{2,}');
const oneMeasure = new RegExp(`^${consonant}*${vowel}+${consonant}+${vowel}*$`);
const hasVowel = new RegExp(vowel);
const shortEnd = new RegExp(`${consonant}${vowel}[^aeiouwxy]$`);

function stepOne(word: string): string {
  let stem = word.replace(/(ss|i)es$/, '$1').replace(/([^s])s$/, '$1');
  if (stem.endsWith('eed')) {
    if (someMeasure.test(stem.slice(0, -3))) stem = stem.slice(0, -1);
  } else {
    const cut = /^(.+)(?:ed|ing)$/.exec(stem)?.[1];
    if (cut !== undefined && hasVowel.test(cut)) stem = restoreEnd(cut);
  }
  return /^(.+)y$/.test(stem) && hasVowel.test(stem.slice(0, -1)) ? `${stem.slice(0, -1)}i` : stem;
}

function restoreEnd(stem: string): string {
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/([^aeiouylsz])\1$/.test(stem)) return stem.slice(0, -1);
  return oneMeasure.test(stem) && shortEnd.test(stem) ? `${stem}e` : stem;
}

const second: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
];
const third: readonly (readonly [string, string])[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];
const fourth = 'al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize'.split(' ');

function stepTwo(word: string): string {
  return replaceEnd(word, second);
}

function stepThree(word: string): string {
  return replaceEnd(word, third);
}

function replaceEnd(word: string, table: readonly (readonly [string, string])[]): string {
  for (const [end, by] of table) {
    if (!word.endsWith(end)) continue;
    const stem = word.slice(0, -end.length);
    return someMeasure.test(stem) ? stem + by : word;
  }
  return word;
}

function stepFour(word: string): string {
  const end = fourth.filter((one) => word.endsWith(one)).sort((a, b) => b.length - a.length)[0];
  if (end !== undefined) return moreMeasure.test(word.slice(0, -end.length)) ? word.slice(0, -end.length) : word;
  const stem = word.slice(0, -3);
  return /[st]ion$/.test(word) && moreMeasure.test(stem) ? stem : word;
}

function stepFive(word: string): string {
  let stem = word;
  if (stem.endsWith('e')) {
    const cut = stem.slice(0, -1);
    if (moreMeasure.test(cut) || (someMeasure.test(cut) && !(oneMeasure.test(cut) && shortEnd.test(cut)))) stem = cut;
  }
  return stem.endsWith('ll') && moreMeasure.test(stem) ? stem.slice(0, -1) : stem;
}
