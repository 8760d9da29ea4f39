import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { inRoot } from '../bootstrap/paths.ts';
import { runCases } from './run-cases.ts';
import { topics } from './topics.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

type Row = Record<string, unknown>;

async function run(...args: string[]): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const code = await runCases(args, (line) => lines.push(line));
  return { code, lines };
}

/** Scores rows that stand in a file of their own. */
function runRows(topic: string, rows: readonly Row[]) {
  const folder = mkdtempSync(join(tmpdir(), 'oneslot-cases-'));
  folders.push(folder);
  const file = join(folder, 'rows.json');
  writeFileSync(file, JSON.stringify(rows));
  return run(topic, '--file', file);
}

function ownRow(topic: string, id: string): Row {
  const text = readFileSync(inRoot('cases', topics[topic]?.file ?? ''), 'utf8');
  const rows: Row[] = text.startsWith('[')
    ? JSON.parse(text)
    : text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
  const row = rows.find((one) => one.id === id);
  if (!row) throw new Error(`${topic} has no row ${id}.`);
  return row;
}

const blockedAtOnce = { name: 'read_file', args: {}, outcome: 'ok', expect: { verdict: 'block', after: 'none' } };

describe('a planted wrong row is named, counted and below the bar', () => {
  test.each<[topic: string, id: string, plant: Row, last: string]>([
    ['json-repair', 'args-001', { accept: [{ value: { path: 'b' } }] }, 'wrong 1, forbidden 0'],
    [
      'json-repair',
      'args-001',
      { accept: [{ refuse: true }], forbid: [{ value: { path: 'a.txt' } }] },
      'wrong 1, forbidden 1',
    ],
    ['json-repair', 'args-031', { accept: [{ value: { command: 'rm' } }] }, 'wrong 0, forbidden 0'],
    ['json-schema', 'schema-01-array-no-items', { accepts: [{ slugs: 'no list' }] }, 'wrong 1, forbidden 0'],
    ['json-schema', 'schema-10-root-string', { failClosed: false }, 'wrong 1, forbidden 0'],
    [
      'name-repair',
      'name-01',
      { expect: { suggest: ['write_file'] }, mustNotResolve: ['read_file'] },
      'wrong 1, forbidden 1',
    ],
    ['name-repair', 'name-58', { expect: { suggest: ['read_file'] } }, 'wrong 0, forbidden 0'],
    ['fake-tool-calls', 'fake-11', { notice: false }, 'wrong 1, forbidden 0'],
    ['fake-tool-calls', 'fake-11', { visible: 'Sure. <tool_call>' }, 'wrong 0, forbidden 0'],
    ['loop-guard', 'loop-guard-01', { expect: { blockAt: 2 } }, 'wrong 1, forbidden 0'],
    ['output-envelope', 'output-envelope-01', { check: { cut: true } }, 'wrong 1, forbidden 0'],
    ['edit', 'edit-01-exact', { result: 'a\nb\nc\n' }, 'wrong 1, forbidden 0'],
    ['arg_repair', 'strict-plain', { expect: { args: {} } }, 'wrong 1, forbidden 0'],
    ['name_repair', 'kebab', { expect: { unknown: true } }, 'wrong 1, forbidden 0'],
    ['schema_sanitize', 'untouched', { expect: { type: 'object' } }, 'wrong 1, forbidden 0'],
    ['approval_derivation', 'pure-read', { expect: { requirement: 'Required' } }, 'wrong 1, forbidden 0'],
    ['loop_guard', 'third-blocked', { steps: [blockedAtOnce] }, 'wrong 1, forbidden 0'],
    ['approval_fingerprint', 'same', { expectHit: false }, 'wrong 1, forbidden 0'],
    ['fake_calls', 'plain', { expectNotice: 1 }, 'wrong 1, forbidden 0'],
    ['batching', 'one-write', { expect: { batches: [] } }, 'wrong 1, forbidden 0'],
    [
      'shell_truncation',
      'empty',
      { expect: { totalBytes: 1, truncated: false, spilled: false } },
      'wrong 1, forbidden 0',
    ],
  ])('%s %s %j', async (topic, id, plant, last) => {
    const { code, lines } = await runRows(topic, [{ ...ownRow(topic, id), ...plant }]);
    expect(lines[0]).toContain(id);
    expect(lines.at(-1)).toBe(`${topic}: passed 0 of 1, ${last}`);
    expect(code).toBe(1);
  });

  test('shell-safety: a false-safe row is wrong, a class that is merely another one is not', async () => {
    const row = { ...ownRow('shell-safety', 'sh-001'), expectedClass: 'writes', mayAutoRun: false };
    const planted = await runRows('shell-safety', [row]);
    expect(planted.lines[0]).toContain('sh-001');
    expect(planted.lines.at(-2)).toContain('under-classified 100.0 %');
    expect(planted.lines.at(-1)).toBe('shell-safety: passed 0 of 1, wrong 1, forbidden 0');
    expect(planted.code).toBe(1);
  });
});

describe('what passes', () => {
  test('a sound row', async () => {
    const { code, lines } = await runRows('json-repair', [ownRow('json-repair', 'args-001')]);
    expect(lines).toEqual(['json-repair: passed 1 of 1, wrong 0, forbidden 0']);
    expect(code).toBe(0);
  });

  test('formats are known by their shape', async () => {
    const pair = { id: 'p', input: '{"a":1,}', rootObject: true, expected: { a: 1 } };
    const other = { id: 'q', input: '{a:1}', rootObject: true, expected: { a: 1 } };
    const array = { id: 'r', input: '[1,]', rootObject: false, expected: [1] };
    const { code, lines } = await runRows('json-repair', [pair, other, array]);
    expect(lines.slice(1)).toEqual([
      'json-repair: objects: repaired 1, refused 1, wrong 0 of 2',
      'json-repair: passed 1 of 2, wrong 0, forbidden 0',
    ]);
    expect(code).toBe(0);
    const suite = { id: 'draft7/x/0', schema: { type: ['string', 'null'] }, tests: [{ data: null, valid: true }] };
    expect((await runRows('json-schema', [suite])).lines.at(-1)).toBe(
      'json-schema: passed 1 of 1, wrong 0, forbidden 0',
    );
    expect((await runRows('json-repair', [ownRow('arg_repair', 'strict-plain')])).code).toBe(0);
  });

  test('an edit that may be refused stands outside the share', async () => {
    const row = ownRow('edit', 'edit-23-html-entities');
    expect((await runRows('edit', [row])).lines.at(-1)).toBe('edit: passed 0 of 0, wrong 0, forbidden 0');
  });
});

describe('what is asked wrongly', () => {
  test.each([
    [[]],
    [['no-such-topic']],
    [['toString']],
    [['ssrf']],
    [['edit', '--file', '/no/such/file']],
    [['edit', '--x']],
  ])('%j', async (args) => {
    const { code, lines } = await run(...args);
    expect(code).toBe(2);
    expect(lines.at(-1)).toMatch(/^Topics: json-repair, .*, tool-search$/);
  });

  test('rows of another topic', async () => {
    expect((await runRows('batching', [ownRow('json-repair', 'args-001')])).code).toBe(2);
    expect((await runRows('edit', [])).code).toBe(2);
  });
});
