import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type JsonObject, registerTools, type ToolSpec } from '@oneslot/core';
import { describe, expect, test } from 'vitest';
import { toolFolder } from './index.ts';

/** tools.md part B for the tools that exist: capabilities, residency, overlap and limit are promises to people. */
const promised: Record<string, { capabilities: string[]; parallel: boolean; load: string; timeoutMs: number | null }> =
  {
    read_file: { capabilities: ['read_only', 'sandboxable'], parallel: true, load: 'resident', timeoutMs: 15_000 },
    write_file: { capabilities: ['sandboxable', 'writes_files'], parallel: false, load: 'resident', timeoutMs: 15_000 },
    edit_file: { capabilities: ['sandboxable', 'writes_files'], parallel: false, load: 'resident', timeoutMs: 15_000 },
    list_dir: { capabilities: ['read_only', 'sandboxable'], parallel: true, load: 'resident', timeoutMs: 15_000 },
    grep_files: { capabilities: ['read_only', 'sandboxable'], parallel: true, load: 'resident', timeoutMs: 20_000 },
    find_files: { capabilities: ['read_only', 'sandboxable'], parallel: true, load: 'resident', timeoutMs: 20_000 },
    run_command: {
      capabilities: ['executes_code', 'sandboxable'],
      parallel: false,
      load: 'resident',
      timeoutMs: 630_000,
    },
    command_poll: { capabilities: ['read_only'], parallel: true, load: 'resident', timeoutMs: 130_000 },
    command_stop: { capabilities: ['sandboxable'], parallel: false, load: 'deferred', timeoutMs: 10_000 },
    retrieve_tool_result: { capabilities: ['read_only'], parallel: true, load: 'resident', timeoutMs: 10_000 },
    todo_write: { capabilities: [], parallel: false, load: 'resident', timeoutMs: 5_000 },
    ask_user: { capabilities: [], parallel: false, load: 'resident', timeoutMs: null },
    tool_search: { capabilities: ['read_only'], parallel: true, load: 'resident', timeoutMs: 3_000 },
  };

const files = readdirSync(toolFolder, { recursive: true, encoding: 'utf8' })
  .filter((path) => /^[a-z]+\/[a-z-]+\.ts$/.test(path))
  .sort();

const tools = await Promise.all(
  files.map(async (path) => ({
    path,
    spec: ((await import(new URL(path, toolFolder).href)) as { default: ToolSpec }).default,
  })),
);

describe.each(tools)('$path', ({ path, spec }) => {
  test('is named after its file and lies in its family', () => {
    expect(spec.name).toBe(basename(path, '.ts').replaceAll('-', '_'));
    expect(spec.family).toBe(dirname(path));
    expect(spec.name).toMatch(/^[a-z][a-z0-9_]{1,47}$/);
  });

  test('says what it does in at most 1,200 characters and describes every parameter', () => {
    expect(spec.description.length).toBeGreaterThan(80);
    expect(spec.description.length).toBeLessThanOrEqual(1200);
    expect(undescribed(spec.inputSchema)).toEqual([]);
  });

  test('keeps its promises', () => {
    const { parallel, load, timeoutMs } = spec;
    expect({ capabilities: [...spec.capabilities].sort(), parallel, load, timeoutMs }).toEqual(promised[spec.name]);
  });

  test('has vectors with unique ids', () => {
    const rows = JSON.parse(readFileSync(new URL(path.replace(/\.ts$/, '.cases.json'), toolFolder), 'utf8')) as {
      id: string;
      given: { input: unknown };
      expected: unknown;
    }[];
    expect(rows.length).toBeGreaterThan(2);
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
    for (const row of rows)
      expect(
        Object.keys(row)
          .sort()
          .filter((key) => key !== 'note'),
      ).toEqual(['expected', 'given', 'id']);
  });
});

test('all of them register together', () => {
  const catalog = registerTools(tools.map(({ spec }) => spec));
  expect(catalog.problems).toEqual([]);
});

/** Names of parameters without words: a boolean or a choice may speak for itself, text and numbers do not. */
function undescribed(schema: JsonObject): string[] {
  const properties = (schema.properties ?? {}) as Record<string, JsonObject>;
  return Object.entries(properties)
    .filter(
      ([, field]) =>
        field.description === undefined &&
        field.type !== 'array' &&
        field.type !== 'boolean' &&
        field.enum === undefined,
    )
    .map(([name]) => name);
}
