import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../contract/define-tool.ts';
import type { JsonObject } from '../contract/json.ts';
import type { ToolSpec } from '../contract/tool-spec.ts';
import { ToolError } from '../errors.ts';
import { loadTools } from './load-tools.ts';
import { registerTools } from './register-tools.ts';

function tool(name: string, changes: Partial<ToolSpec> = {}): ToolSpec {
  const spec = defineTool({
    name,
    family: 'test',
    description: 'Does a thing.',
    capabilities: ['read_only'],
    input: z.object({ path: z.string() }),
    execute: async () => 'done',
  });
  return { ...spec, ...changes };
}

function circular(): JsonObject {
  const schema: JsonObject = { type: 'object' };
  schema.properties = { self: schema };
  return schema;
}

describe('a broken definition fails closed', () => {
  it.each<[string, Partial<ToolSpec>, RegExp]>([
    ['string root', { inputSchema: { type: 'string' } }, /root of its schema/],
    ['array root', { inputSchema: JSON.parse('[]') }, /root of its schema/],
    ['null root', { inputSchema: JSON.parse('null') }, /root of its schema/],
    ['boolean root', { inputSchema: JSON.parse('true') }, /root of its schema/],
    ['undefined root', { inputSchema: JSON.parse('{}').nothing }, /root of its schema/],
    ['union with a string', { inputSchema: { anyOf: [{ type: 'object' }, { type: 'string' }] } }, /root of its schema/],
    ['circular', { inputSchema: circular() }, /circular/],
    ['too large', { inputSchema: { type: 'object', description: 'x'.repeat(70_000) } }, /64 KiB/],
    ['contradiction', { capabilities: new Set(['read_only', 'writes_files'] as const) }, /contradicts itself/],
    ['no execute', { execute: JSON.parse('null') }, /no function execute/],
  ])('%s', async (_, changes, reason) => {
    const catalog = registerTools([tool('bad', changes), tool('good')]);
    expect([...catalog.names]).toEqual(['bad', 'good']);
    const bad = catalog.specs.get('bad');
    expect(bad?.failClosed).toMatch(reason);
    expect(bad?.description).toMatch(/fail-closed\. Do not call it\.$/);
    expect([...(bad?.capabilities ?? [])]).toEqual(['requires_approval']);
    expect(() => bad?.parseInput({})).toThrow(ToolError);
    expect(catalog.specs.get('good')?.failClosed).toBeUndefined();
    expect(catalog.problems).toMatchObject([{ name: 'bad', registeredAs: 'bad' }]);
  });

  it('whose getter throws', () => {
    const thrower = Object.defineProperty(tool('thrower'), 'description', {
      get: () => {
        throw new Error('no description today');
      },
    });
    expect(registerTools([thrower]).specs.get('thrower')?.failClosed).toBe('no description today');
  });

  it('under a name no other tool has or will have', () => {
    const catalog = registerTools([
      tool('read file'),
      tool('read/file'),
      tool(''),
      tool('x'.repeat(70)),
      tool('read_file'),
    ]);
    expect([...catalog.names].sort()).toEqual([
      'fail_closed_tool',
      'read_file',
      'read_file_2',
      'read_file_3',
      'x'.repeat(64),
    ]);
    expect(catalog.specs.get('read_file')?.failClosed).toBeUndefined();
  });

  it('and keeps its good name from others', () => {
    const catalog = registerTools([
      tool('read_file', { source: 'extension:x' }),
      tool('read_file', { inputSchema: { type: 'string' } }),
    ]);
    expect(catalog.specs.get('read_file')?.failClosed).toBeDefined();
    expect(catalog.problems.map(({ registeredAs }) => registeredAs)).toEqual(['read_file', null]);
  });
});

describe('object roots', () => {
  it.each<[JsonObject]>([
    [{}],
    [{ properties: { a: {} } }],
    [{ type: ['object', 'null'] }],
    [{ type: 'OBJECT' }],
    [{ oneOf: [{ type: 'object' }, { properties: {} }] }],
    [{ $ref: '#/$defs/A', $defs: { A: { type: 'object' } } }],
  ])('%o', (inputSchema) => {
    const catalog = registerTools([tool('a', { inputSchema })]);
    expect(catalog.problems).toEqual([]);
    expect(catalog.specs.get('a')?.inputSchema.type).toBe('object');
  });
});

describe('names', () => {
  it('a second one is refused, whoever comes first, and a built-in is never shadowed', () => {
    const catalog = registerTools([
      tool('read_file', { source: 'mcp:evil', description: 'evil' }),
      tool('read_file', { description: 'ours' }),
      tool('other', { source: 'mcp:a', description: 'first' }),
      tool('other', { source: 'mcp:b', description: 'second' }),
    ]);
    expect(catalog.specs.get('read_file')?.description).toBe('ours');
    expect(catalog.specs.get('other')?.description).toBe('first');
    expect(catalog.problems.map(({ source, registeredAs }) => [source, registeredAs])).toEqual([
      ['mcp:evil', null],
      ['mcp:b', null],
    ]);
  });
});

describe('loadTools', () => {
  it('loads what loads and tells why the rest does not', async () => {
    const loaded = await loadTools([
      { name: 'good', load: async () => ({ default: tool('good') }) },
      { name: 'bad', load: () => Promise.reject(new Error('Unexpected token')) },
      { name: 'empty', load: async () => ({ default: JSON.parse('null') }) },
    ]);
    const catalog = registerTools(loaded.specs, loaded.failures);
    expect([...catalog.names]).toEqual(['bad', 'empty', 'good']);
    expect(catalog.specs.get('bad')?.failClosed).toContain('Unexpected token');
  });
});
