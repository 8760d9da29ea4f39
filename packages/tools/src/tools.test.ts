import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type JsonObject, registerTools, type ToolSpec } from '@oneslot/core';
import { describe, expect, test } from 'vitest';
import { toolFolder } from './index.ts';

/** A vector file holds calls and, under the id `promise`, what people are told the tool may touch. */
type Row = { id: string; given: { input?: unknown }; expected: unknown };

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
    const promise = rowsOf(path).find((row) => row.id === 'promise');
    expect({ capabilities: [...spec.capabilities].sort(), parallel, load, timeoutMs }).toEqual(promise?.expected);
  });

  test('has vectors with unique ids', () => {
    const rows = rowsOf(path);
    expect(rows.filter((row) => row.given.input === undefined).map((row) => row.id)).toEqual(['promise']);
    expect(rows.length).toBeGreaterThan(3);
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

function rowsOf(path: string): Row[] {
  return JSON.parse(readFileSync(new URL(path.replace(/\.ts$/, '.cases.json'), toolFolder), 'utf8')) as Row[];
}

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
