import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../contract/json.ts';
import { mapFields, renameAliasFields } from './map-fields.ts';

const schemaOf = (...names: string[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});

describe('mapFields', () => {
  it.each([
    [
      { old_string: 'a', new_string: 'b' },
      ['path', 'search', 'replace'],
      { old_string: 'search', new_string: 'replace' },
    ],
    [{ search: 'a', replace: 'b' }, ['old_string', 'new_string'], { search: 'old_string', replace: 'new_string' }],
    [{ filePath: 'a' }, ['file_path', 'content'], { filePath: 'file_path' }],
    [{ pth: 'a' }, ['path'], { pth: 'path' }],
    [{ path: 'a', file_path: 'b' }, ['path'], {}],
    [{ color: 'a' }, ['path'], {}],
  ])('%o with %o', (input, names, expected) => {
    expect(Object.fromEntries(mapFields(input, schemaOf(...names)).map(({ from, to }) => [from, to]))).toEqual(
      expected,
    );
  });
});

describe('renameAliasFields', () => {
  it.each([
    ['Read', 'read_file', { file_path: 'a', limit: 5 }, ['path', 'max_lines'], { path: 'a', max_lines: 5 }],
    ['read_file', 'read_file', { file_path: 'a', path: 'b' }, ['path'], { file_path: 'a', path: 'b' }],
    [
      'Bash',
      'run_command',
      { cmd: 'ls', timeout: 30 },
      ['command', 'timeout_ms'],
      { command: 'ls', timeout_ms: 30_000 },
    ],
    [
      'Bash',
      'run_command',
      { command: 'ls', timeout: 60_000 },
      ['command', 'timeout_ms'],
      { command: 'ls', timeout_ms: 60_000 },
    ],
    ['read_mcp_resource', 'mcp_resource', { uri: 'x' }, ['operation', 'uri'], { uri: 'x', operation: 'read' }],
    ['Grep', 'grep_files', { pattern: 'x', limit: 3 }, ['pattern', 'limit'], { pattern: 'x', limit: 3 }],
  ])('%s %s', (calledAs, tool, input, names, expected) => {
    expect(renameAliasFields(calledAs, tool, input, schemaOf(...names))).toEqual(expected);
  });
});

it('renames within lists too', () => {
  const item: JsonObject = { type: 'object', properties: { content: { type: 'string' }, status: { type: 'string' } } };
  const schema: JsonObject = { type: 'object', properties: { items: { type: 'array', items: item } } };
  const input = { plan: [{ step: 'a', status: 'pending' }] };
  expect(renameAliasFields('update_plan', 'todo_write', input, schema)).toEqual({
    items: [{ content: 'a', status: 'pending' }],
  });
});
