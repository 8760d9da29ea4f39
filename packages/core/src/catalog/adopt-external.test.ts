import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../contract/json.ts';
import { ToolError } from '../errors.ts';
import { ownCases, sharedCases } from '../testing/read-cases.ts';
import { adoptExternal, externalToolName } from './adopt-external.ts';
import { patternDegree } from './pattern-engine.ts';
import { registerTools } from './register-tools.ts';

const adopt = (inputSchema: JsonObject, name = 'x') =>
  adoptExternal({
    name,
    description: 'Foreign.',
    inputSchema,
    source: 'mcp:x',
    family: 'x',
    execute: async () => 'done',
  });

describe('adoptExternal', () => {
  it('assumes network and approval, deferred and serial', () => {
    const spec = adopt({ type: 'object' });
    expect([...spec.capabilities]).toEqual(['network', 'requires_approval']);
    expect([spec.load, spec.parallel]).toEqual(['deferred', false]);
  });

  const schema: JsonObject = {
    type: 'object',
    properties: {
      n: { type: 'integer' },
      list: { type: 'array', items: { type: 'string' } },
      note: { type: 'string' },
    },
    required: ['n'],
    additionalProperties: false,
  };
  it.each<[JsonObject, JsonObject, number]>([
    [{ n: 1, list: ['a'] }, { n: 1, list: ['a'] }, 0],
    [{ n: '5' }, { n: 5 }, 1],
    [{ n: 1, list: '["a"]' }, { n: 1, list: ['a'] }, 1],
    [{ n: 1, note: null }, { n: 1 }, 0],
    [{ n: 1, extra: true }, { n: 1 }, 1],
    [{ n: 1, note: '[1]' }, { n: 1, note: '[1]' }, 0],
  ])('reads %o', (input, expected, warnings) => {
    const parsed = adopt(schema).parseInput(input);
    expect(parsed.input).toEqual(expected);
    expect(parsed.warnings).toHaveLength(warnings);
  });

  it.each<[JsonObject]>([[{}], [{ n: 'five' }], [{ n: '9007199254740993' }], [{ n: 1, list: 'a' }]])(
    'refuses %o and says why',
    (input) => {
      expect(() => adopt(schema).parseInput(input)).toThrow(ToolError);
    },
  );

  it('lets nobody hang on a pattern', () => {
    const spec = adopt({ type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } });
    const input = { a: `${'a'.repeat(40)}!` };
    expect(spec.parseInput(input).input).toEqual(input);
  });
});

describe('patternDegree', () => {
  it.each([
    ['^[a-z]{1,9}$', 1],
    ['^(a+)+$', null],
    ['(a|b)*c', null],
    ['^\\d{4}-\\d{2}$', 0],
    ['(a)\\1', null],
    ['.*a.*b', 2],
    ['(?:x(y|z))+', null],
  ])('%s', (pattern, degree) => {
    expect(patternDegree(pattern)).toBe(degree);
  });
});

describe('externalToolName', () => {
  it('keeps good names, shortens long ones and keeps them apart', () => {
    expect(externalToolName('github', 'create_issue')).toBe('mcp__github__create_issue');
    const [a, b] = [externalToolName('s', `${'t'.repeat(80)}a`), externalToolName('s', `${'t'.repeat(80)}b`)];
    expect(a).toHaveLength(64);
    expect(a).not.toBe(b);
    expect(externalToolName('a.b', 'c')).not.toBe(externalToolName('a_b', 'c'));
  });
});

type Dirty = { id: string; schema: JsonValue; accepts: JsonObject[]; failClosed?: boolean };
describe('dirty schemas', () => {
  it.each(ownCases<Dirty>('json-schema/dirty.jsonl'))('$id', (row) => {
    const spec = registerTools([adopt(Object(row.schema === '__CIRCULAR__' ? circular() : row.schema))]).specs.get('x');
    const usable = row.failClosed === true && row.schema !== null && typeof row.schema !== 'boolean';
    if (usable) expect(spec?.failClosed).toBeDefined();
    if (row.failClosed) return;
    for (const instance of row.accepts) expect(spec?.parseInput(instance).input).toEqual(instance);
  });
});

function circular(): JsonObject {
  const schema: JsonObject = { type: 'object' };
  schema.allOf = [schema];
  return schema;
}

const servers = ['github', 'filesystem', 'memory', 'everything'].map(
  (name) => `mcp/tools-list/modelcontextprotocol__server-${name}.json`,
);
describe.each(servers)('%s', (file) => {
  const dump = sharedCases(file);
  it.runIf(dump)('loads whole', () => {
    const { tools = [] }: { tools?: { name: string; description?: string; inputSchema: JsonObject }[] } = Array.isArray(
      dump,
    )
      ? { tools: Object(dump) }
      : Object(dump);
    const catalog = registerTools(tools.map((tool) => adopt(tool.inputSchema, externalToolName('s', tool.name))));
    expect(catalog.problems).toEqual([]);
    expect(catalog.names.size).toBe(tools.length);
  });
});
