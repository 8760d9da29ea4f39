import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { JsonValue } from '../contract/json.ts';
import { ownCases, sharedCases } from '../testing/read-cases.ts';
import { readJson } from './read-json.ts';
import { repairArguments } from './repair-arguments.ts';

type CoreCase = {
  id: string;
  raw: string;
  truncatedTurn: boolean;
  expect: { args?: unknown; refused?: string; synthesized?: boolean };
};
type Outcome = { value?: unknown; empty?: true; refuse?: true; ownProperty?: true };
type OwnCase = {
  id: string;
  finish: string;
  raw?: string;
  generator?: { prefix: string; repeat: string; times: number; suffix: string };
  accept: Outcome[];
  forbid?: Outcome[];
};

describe('core vectors', () => {
  it.each(ownCases<CoreCase>('core/arg_repair.json'))('$id', (row) => {
    const repaired = repairArguments(row.raw, row.truncatedTurn ? 'strict_only' : 'full_ladder');
    if (row.expect.refused !== undefined) {
      expect(repaired).toMatchObject({ value: {}, rung: 'unrepaired', unrepaired: { reason: row.expect.refused } });
      return;
    }
    expect(JSON.stringify(repaired.value)).toBe(JSON.stringify(row.expect.args));
    expect(repaired.synthesized ?? false).toBe(row.expect.synthesized ?? false);
  });
});

describe('tool arguments', () => {
  it.each(ownCases<OwnCase>('json-repair/tool-arguments.jsonl'))('$id', (row) => {
    const policy = row.finish === 'tool_calls' ? 'full_ladder' : 'strict_only';
    const repaired = repairArguments(textOf(row), policy);
    const matches = (outcome: Outcome) =>
      'value' in outcome
        ? repaired.rung !== 'unrepaired' && JSON.stringify(repaired.value) === JSON.stringify(expand(outcome.value))
        : repaired.rung === 'unrepaired';
    expect(row.accept.some(matches)).toBe(true);
    expect(row.forbid?.some((outcome) => 'value' in outcome && matches(outcome)) ?? false).toBe(false);
  });
});

function textOf(row: OwnCase): string {
  const { generator } = row;
  if (!generator) return row.raw ?? '';
  return generator.prefix + generator.repeat.repeat(generator.times) + generator.suffix;
}

/** `<n x a>` stands for n times a. */
function expand(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/<(\d+) x (.)>/g, (_, times, char) => char.repeat(Number(times))));
}

describe('details of the ladder', () => {
  it.each([
    ['{"a":1,', { a: 1 }, 'closed_brackets', true],
    ['{"a":{"b":[', { a: { b: [] } }, 'closed_brackets', true],
    ['{"a":1]}', { a: 1 }, 'surplus_closers', undefined],
    ['  ', {}, 'cleaned', undefined],
    ['"{\\"a\\":1}"', { a: 1 }, 'cleaned', undefined],
    ['{"a":1}[/TOOL_CALLS]<tool_call|>', { a: 1 }, 'cleaned', undefined],
    ['\u200b\ufeff {"a":1}', { a: 1 }, 'cleaned', undefined],
    ['{"a":1}\0\0', { a: 1 }, 'cleaned', undefined],
    ['{"a":1}</arguments></invoke>', { a: 1 }, 'cleaned', undefined],
    ['{"a":1}<｜end▁of▁sentence｜>', { a: 1 }, 'cleaned', undefined],
    ['{ }\n{"a":1} {"a": 1}', { a: 1 }, 'cleaned', undefined],
    ['~~~\n{"a":1}\n~~~', { a: 1 }, 'cleaned', undefined],
    ['{"id":12345678901234567890}', { id: '12345678901234567890' }, 'strict', undefined],
    ['{"id":-9007199254740993}', { id: '-9007199254740993' }, 'strict', undefined],
    ['{"x":1e999}', { x: '1e999' }, 'strict', undefined],
  ])('%s', (text, value, rung, synthesized) => {
    expect(repairArguments(text, 'full_ladder')).toEqual({ value, rung, synthesized });
  });

  it.each([
    ['{"a":"x', 'unterminated_string'],
    ["{'a': \"x", 'unterminated_string'],
    ['{"a":1,"b"', 'missing_value'],
    ['{"a":{"b": ', 'missing_value'],
    ['null', 'not_object'],
    ['[1,2', 'not_object'],
    ['"plain"', 'not_object'],
    ['{"a":1,"a":2}', 'duplicate_key'],
    ['{"a":tru', 'unparseable'],
    ['{"a":1} and more', 'unparseable'],
    ['{"a":1}{}', 'unparseable'],
    ['{"a":[{"b":1]}', 'unparseable'],
    [`{"a":${'['.repeat(128)}${']'.repeat(128)}}`, 'too_deep'],
  ])('%s is refused', (text, reason) => {
    expect(repairArguments(text, 'full_ladder').unrepaired?.reason).toBe(reason);
  });

  it.each(['', '```\n{"a":1}\n```', '{"a":1}}', '"{\\"a\\":1}"'])('a cut-off answer is read strictly: %s', (text) => {
    expect(repairArguments(text, 'strict_only').unrepaired?.reason).toBe('truncated_turn');
  });
});

describe('laws', () => {
  const jsonObject = fc.dictionary(fc.string(), fc.jsonValue());

  test('valid objects stay as they are', () => {
    fc.assert(
      fc.property(jsonObject, fc.constantFrom('full_ladder', 'strict_only'), fc.nat(4), (object, policy, indent) => {
        const text = JSON.stringify(object, null, indent);
        expect(repairArguments(text, policy)).toEqual({ value: JSON.parse(text), rung: 'strict' });
      }),
    );
  });

  test('any text gives a value or a reason, and never throws', () => {
    const piece = fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', '1', 'a', 'true', '\n', ' ', '```', '<|x|>');
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join('')),
        (text) => {
          const repaired = repairArguments(text, 'full_ladder');
          expect(repaired.unrepaired === undefined).toBe(repaired.rung !== 'unrepaired');
        },
      ),
    );
  });

  test('a cut text never gains a value; only its last number may be shorter', () => {
    fc.assert(
      fc.property(jsonObject, fc.nat(), (object, seed) => {
        const text = JSON.stringify(object);
        const repaired = repairArguments(text.slice(0, seed % text.length), 'full_ladder');
        if (repaired.unrepaired || !repaired.synthesized) return;
        for (const [key, value] of leaves(repaired.value))
          expect(leafOf(JSON.parse(text), key)).toSatisfy((full) =>
            typeof value === 'number' ? typeof full === 'number' : full !== undefined && String(full) === String(value),
          );
      }),
    );
  });
});

function leaves(value: JsonValue, path: string[] = []): [string[], JsonValue][] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]));
}

function leafOf(value: JsonValue, path: string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (at, key) =>
      typeof at === 'object' && at !== null ? Object.entries(at).find(([own]) => own === key)?.[1] : undefined,
    value,
  );
}

const suite = sharedCases<{
  id: string;
  expect: string;
  base64?: string;
  generator?: { repeat: string; times: number };
}>('json-repair/jsontestsuite.jsonl');
describe.runIf(suite)('JSONTestSuite on the strict rung', () => {
  it.each(suite?.filter((row) => row.expect !== 'either') ?? [])('$id', (row) => {
    const bytes = Buffer.from(row.base64 ?? '', 'base64');
    const text = row.generator ? row.generator.repeat.repeat(row.generator.times) : bytes.toString('utf8');
    const read = readJson(text);
    const whole = read.ok && /^[ \t\r\n]*$/.test(text.slice(read.end));
    // A key twice is legal JSON, yet nobody can know which one was meant; bytes that are no UTF-8 never get this far.
    const refusedOnPurpose = !read.ok && read.reason === 'duplicate_key';
    expect(whole || refusedOnPurpose).toBe(
      row.expect === 'accept' || (whole && bytes.toString('utf8').includes('\ufffd')),
    );
  });
});

for (const file of ['json-repair/jsonrepair.jsonl', 'json-repair/json_repair_py.jsonl']) {
  const rows = sharedCases<{ input: string; rootObject: boolean; expected?: unknown }>(file)?.filter(
    (row) => row.rootObject && row.expected !== undefined,
  );
  test.runIf(rows)(`${file}: a repaired object is the expected one or a refusal`, () => {
    const same = (rows ?? []).filter((row) => {
      const repaired = repairArguments(row.input, 'full_ladder');
      return !repaired.unrepaired && JSON.stringify(repaired.value) === JSON.stringify(row.expected);
    });
    process.stdout.write(`${file}: ${same.length} of ${rows?.length ?? 0} objects repaired alike\n`);
    expect(same.length).toBeGreaterThan(0);
  });
}
