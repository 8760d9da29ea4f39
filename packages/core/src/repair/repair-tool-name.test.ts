import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { ownCases } from '../testing/read-cases.ts';
import { repairToolName } from './repair-tool-name.ts';
import { didYouMean } from './suggest-names.ts';

type CoreCase = {
  id: string;
  registered: string[];
  called: string;
  expect: { tool?: string; didYouMean?: string[]; unknown?: true };
};
type Verdict = { resolve?: string; suggest?: string[]; unknown?: true };
type OwnCase = {
  id: string;
  called: string;
  expect: Verdict & { or?: Verdict; orResolve?: string };
  mustNotResolve?: string[];
};

describe('core vectors', () => {
  it.each(ownCases<CoreCase>('core/name_repair.json'))('$id', (row) => {
    const repaired = repairToolName(row.called, new Set(row.registered));
    if (row.expect.tool !== undefined) expect(repaired).toMatchObject({ kind: 'resolved', name: row.expect.tool });
    else if (row.expect.unknown) expect(repaired).toEqual({ kind: 'unknown' });
    else expect(repaired).toEqual({ kind: 'suggested', names: row.expect.didYouMean });
  });
});

describe('wrong names', () => {
  const registered = new Set(ownCasesRegistry());
  it.each(ownCases<OwnCase>('name-repair/names.jsonl'))('$id $called', (row) => {
    const repaired = repairToolName(row.called, registered);
    const meets = (verdict: Verdict) =>
      (verdict.unknown === true && repaired.kind === 'unknown') ||
      (repaired.kind === 'resolved' && repaired.name === verdict.resolve) ||
      (repaired.kind === 'suggested' && verdict.suggest?.every((name) => repaired.names.includes(name)) === true);
    expect(
      [row.expect, row.expect.or ?? {}, { resolve: row.expect.orResolve ?? '' }].some(meets),
      JSON.stringify(repaired),
    ).toBe(true);
    if (repaired.kind === 'resolved') expect(row.mustNotResolve ?? []).not.toContain(repaired.name);
  });
});

function ownCasesRegistry(): string[] {
  const { tools }: { tools: string[] } = Object(ownCases('name-repair/registry.json'));
  return tools;
}

describe('peers’ names', () => {
  const registered = new Set(['read_file', 'find_files', 'grep_files']);
  it.each([
    ['Read', {}, { kind: 'resolved', name: 'read_file', rung: 'alias' }],
    ['search_files', { regex: 'x' }, { kind: 'resolved', name: 'grep_files', rung: 'alias' }],
    ['search_files', { pattern: 'x' }, { kind: 'resolved', name: 'find_files', rung: 'alias' }],
    ['Bash', {}, { kind: 'unknown' }],
  ])('%s', (called, input, expected) => {
    expect(repairToolName(called, registered, input)).toEqual(expected);
  });
});

describe('suggestions', () => {
  it('stay within 200 bytes', () => {
    const long = ['a', 'b', 'c'].map((letter) => letter.repeat(64));
    expect(didYouMean(long)).toBe(`Did you mean: ${long.slice(0, 2).join(', ')}?`);
    expect(didYouMean([])).toBe('');
  });
});

test('what resolves has the same letters, up to affixes and aliases', () => {
  const registered = new Set(['read_file', 'write_file', 'http_get', 'search_tool', 'run']);
  const part = fc.constantFrom(
    'read',
    'File',
    'WRITE',
    '_',
    '-',
    ' ',
    'tool',
    '.',
    'http',
    'Get',
    'run',
    'functions',
    'é',
    '()',
    ':0',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const repaired = repairToolName(parts.join(''), registered);
      if (repaired.kind !== 'resolved') return;
      const letters = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
      expect(letters(parts.join('')).replace(/^functions|(?:tool)*$/g, '')).toBe(
        letters(repaired.name).replace(/tool$/, ''),
      );
    }),
  );
});
