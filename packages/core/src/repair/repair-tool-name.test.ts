import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type CoreName, type OwnName, scoreCoreName, scoreOwnName } from '../../test/scores/score-names.ts';
import { ownCases } from '../testing/read-cases.ts';
import { readCases } from '../testing/run-cases.ts';
import { repairToolName } from './repair-tool-name.ts';
import { didYouMean } from './suggest-names.ts';

const met = { failure: null, wrong: false, forbidden: false };

describe('core vectors', () => {
  it.each(ownCases<CoreName>('core/name_repair.json'))('$id', (row) => {
    expect(scoreCoreName(row)).toMatchObject(met);
  });
});

describe('wrong names', () => {
  const { tools }: { tools: string[] } = Object(ownCases('name-repair/registry.json'));
  it.each(ownCases<OwnName>('name-repair/names.jsonl'))('$id $called', (row) => {
    expect(scoreOwnName(row, new Set(tools))).toMatchObject(met);
  });
});

describe('repair-tool-name.cases.json', () => {
  const { tools }: { tools: string[] } = Object(ownCases('name-repair/registry.json'));
  it.each(readCases<OwnName>(new URL('repair-tool-name.cases.json', import.meta.url)))('$id $called', (row) => {
    expect(scoreOwnName(row, new Set(tools))).toMatchObject(met);
  });
});

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
