import { readJson } from '../../src/repair/read-json.ts';
import { type RepairedArguments, repairArguments } from '../../src/repair/repair-arguments.ts';
import { brief, type RowScore, type SetScore, sameJson, score, scoreEach, unless, wholeSet } from './score.ts';

export type CoreArguments = {
  id: string;
  raw: string;
  truncatedTurn: boolean;
  expect: { args?: unknown; refused?: string; synthesized?: boolean };
};
type Outcome = { value?: unknown; empty?: true; refuse?: true; ownProperty?: true };
export type OwnArguments = {
  id: string;
  finish?: string;
  raw?: string;
  generator?: { prefix: string; repeat: string; times: number; suffix: string };
  accept: Outcome[];
  forbid?: Outcome[];
};
export type SuiteText = { id: string; expect: string; base64?: string; generator?: { repeat: string; times: number } };
export type LibraryPair = { id: string; input: string; rootObject: boolean; expected?: unknown; expect?: 'error' };

/** Reasons to stop that leave an answer whole; any other one shuts the ladder. */
const wholeEndings = new Set(['tool_calls', 'function_call', 'tool_use', 'stop', 'end_turn', 'stop_sequence', 'eos']);

export function scoreCoreArguments(row: CoreArguments): RowScore {
  const repaired = repairArguments(row.raw, row.truncatedTurn ? 'strict_only' : 'full_ladder');
  const { args, refused, synthesized = false } = row.expect;
  if (refused !== undefined)
    return score(
      row.id,
      unless(repaired.unrepaired?.reason === refused, `not refused as ${refused}: ${shown(repaired)}`),
    );
  return score(row.id, [
    ...unless(JSON.stringify(repaired.value) === JSON.stringify(args) && !repaired.unrepaired, shown(repaired)),
    ...unless((repaired.synthesized ?? false) === synthesized, `synthesized should be ${synthesized}`),
  ]);
}

export function scoreOwnArguments(row: OwnArguments): RowScore {
  const whole = row.finish === undefined || wholeEndings.has(row.finish);
  const repaired = repairArguments(textOf(row), whole ? 'full_ladder' : 'strict_only');
  const refused = repaired.unrepaired !== undefined;
  const matches = (outcome: Outcome) =>
    'value' in outcome ? !refused && sameJson(repaired.value, expand(outcome.value)) : refused;
  const accepted = row.accept.some(matches);
  const forbidden = !accepted && (row.forbid ?? []).some(matches);
  return score(row.id, unless(accepted, `${forbidden ? 'forbidden' : 'not accepted'}: ${shown(repaired)}`), {
    wrong: !accepted && !refused,
    forbidden,
  });
}

/** JSONTestSuite on the strict rung. */
function scoreSuiteText(row: SuiteText): RowScore {
  const bytes = Buffer.from(row.base64 ?? '', 'base64');
  const text = row.generator ? row.generator.repeat.repeat(row.generator.times) : bytes.toString('utf8');
  const read = readJson(text);
  const accepted = read.ok && /^[ \t\r\n]*$/.test(text.slice(read.end));
  // A key twice is legal JSON, yet nobody can know which one was meant: the ladder refuses it on purpose.
  const twice = row.expect === 'accept' && !read.ok && read.reason === 'duplicate_key';
  // Bytes that are no UTF-8 never reach the ladder: the stream's decoder has replaced them.
  const decoded = row.expect === 'reject' && accepted && !bytes.equals(Buffer.from(text));
  const meets = accepted === (row.expect === 'accept') || twice || decoded;
  return score(row.id, unless(meets, accepted ? 'accepted' : `refused: ${read.ok ? 'text behind it' : read.reason}`), {
    wrong: !meets && accepted,
  });
}

/** Pairs of other people's repairers: a refusal is no harm, another value than theirs is. */
function scoreLibraryPair(row: LibraryPair): RowScore {
  const repaired = repairArguments(row.input, 'full_ladder');
  if (repaired.unrepaired) return score(row.id, unless(row.expect === 'error', shown(repaired)), { wrong: false });
  const same = row.expect !== 'error' && sameByOurRules(repaired.value, row.expected, row.input);
  return score(row.id, unless(same, `${shown(repaired)} instead of ${brief(row.expected ?? row.expect)}`));
}

export async function scoreLibraryPairs(pairs: readonly LibraryPair[]): Promise<SetScore> {
  const objects = pairs.filter((row) => row.rootObject);
  const rows = await scoreEach(objects, scoreLibraryPair);
  const wrong = rows.filter((row) => row.wrong).length;
  const repaired = rows.filter((row) => row.failure === null).length;
  const refused = rows.length - repaired - wrong;
  const figures = [`objects: repaired ${repaired}, refused ${refused}, wrong ${wrong} of ${rows.length}`];
  return { rows, figures, meetsBar: wrong === 0 };
}

/** Rows of which both readings are right are left out. */
export async function scoreSuiteTexts(texts: readonly SuiteText[]): Promise<SetScore> {
  const settled = texts.filter((row) => row.expect !== 'either');
  const rows = await scoreEach(settled, scoreSuiteText);
  const share = (expect: string) => {
    const scored = rows.filter((_, index) => settled[index]?.expect === expect);
    return `${scored.filter((row) => row.failure === null).length}/${scored.length}`;
  };
  return wholeSet(rows, [`strict rung: accepts ${share('accept')}, rejects ${share('reject')}`]);
}

/**
 * The same value but for the two places where our rules are others (spec: slot, section 6): an integer that a double
 * cannot hold stays as its digits, and a raw control character in a string is kept where some libraries delete it.
 */
function sameByOurRules(ours: unknown, theirs: unknown, input: string): boolean {
  const digits = input.match(/-?\d{16,}/g) ?? [];
  const asDigits = (_: string, value: unknown) =>
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
      ? (digits.find((text) => Number(text) === value) ?? value)
      : value;
  const plain = (value: unknown) =>
    JSON.stringify(value, asDigits).replace(escapes, (one) => (one === '\\\\' ? one : ''));
  return sameJson(JSON.parse(plain(ours)), JSON.parse(plain(theirs)));
}

const escapes = /\\(?:\\|u00[01][0-9a-f]|[bfnrt])/g;

function textOf({ generator, raw = '' }: OwnArguments): string {
  return generator ? generator.prefix + generator.repeat.repeat(generator.times) + generator.suffix : raw;
}

/** `<n x a>` stands for n times a. */
function expand(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/<(\d+) x (.)>/g, (_, times, char) => char.repeat(Number(times))));
}

function shown({ unrepaired, value, rung }: RepairedArguments): string {
  return unrepaired ? `refused (${unrepaired.reason})` : `${brief(value)} (${rung})`;
}
