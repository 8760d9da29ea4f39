import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  type CoreArguments,
  type LibraryPair,
  type OwnArguments,
  type SuiteText,
  scoreCoreArguments,
  scoreLibraryPairs,
  scoreOwnArguments,
  scoreSuiteTexts,
} from '../../test/scores/score-arguments.ts';
import type { JsonValue } from '../contract/json.ts';
import { ownCases, sharedCases } from '../testing/read-cases.ts';
import { readCases } from '../testing/run-cases.ts';
import { repairArguments } from './repair-arguments.ts';

const met = { failure: null, wrong: false, forbidden: false };

describe('core vectors', () => {
  it.each(ownCases<CoreArguments>('core/arg_repair.json'))('$id', (row) => {
    expect(scoreCoreArguments(row)).toMatchObject(met);
  });
});

describe('tool arguments', () => {
  it.each(ownCases<OwnArguments>('json-repair/tool-arguments.jsonl'))('$id', (row) => {
    expect(scoreOwnArguments(row)).toMatchObject(met);
  });
});

describe('repair-arguments.cases.json', () => {
  it.each(readCases<OwnArguments>(new URL('repair-arguments.cases.json', import.meta.url)))('$id', (row) => {
    expect(scoreOwnArguments(row)).toMatchObject(met);
  });
});

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

const runs = { numRuns: 1_000 };

describe('laws', () => {
  const jsonObject = fc.dictionary(fc.string(), fc.jsonValue());

  test('valid objects stay as they are', () => {
    fc.assert(
      fc.property(jsonObject, fc.constantFrom('full_ladder', 'strict_only'), fc.nat(4), (object, policy, indent) => {
        const text = JSON.stringify(object, null, indent);
        expect(repairArguments(text, policy)).toEqual({ value: JSON.parse(text), rung: 'strict' });
      }),
      runs,
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
      runs,
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
      runs,
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

const suite = sharedCases<SuiteText>('json-repair/jsontestsuite.jsonl');
test.runIf(suite)('JSONTestSuite on the strict rung', async () => {
  const { rows, figures } = await scoreSuiteTexts(suite ?? []);
  process.stdout.write(`${figures.join('\n')}\n`);
  expect(rows.filter((row) => row.failure !== null)).toEqual([]);
});

for (const file of ['json-repair/jsonrepair.jsonl', 'json-repair/json_repair_py.jsonl']) {
  const pairs = sharedCases<LibraryPair>(file);
  test.runIf(pairs)(`${file}: a repaired object is the expected one or a refusal`, async () => {
    const { rows, figures } = await scoreLibraryPairs(pairs ?? []);
    process.stdout.write(`${file}: ${figures.join('\n')}\n`);
    expect(rows.filter((row) => row.wrong)).toEqual([]);
  });
}
