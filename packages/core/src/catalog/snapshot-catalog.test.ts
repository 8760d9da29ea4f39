import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../contract/define-tool.ts';
import type { ToolLoad } from '../contract/tool-spec.ts';
import { activateTools, activeMetadata } from './activate-tools.ts';
import { registerTools } from './register-tools.ts';
import { snapshotCatalog } from './snapshot-catalog.ts';

const tool = (name: string, load: ToolLoad) =>
  defineTool({
    name,
    family: 'test',
    description: `Does ${name}.`,
    capabilities: ['read_only'],
    load,
    input: z.object({}),
    execute: async () => 'done',
  });
const specs = [tool('zip', 'deferred'), tool('read', 'resident'), tool('ask', 'resident'), tool('dig', 'deferred')];
const snap = (order = specs, denied: string[] = []) =>
  snapshotCatalog(registerTools(order), { levelOf: () => 'auto', denied: new Set(denied) });

describe('snapshotCatalog', () => {
  it('gives the same bytes for every order of registration', () => {
    expect(JSON.stringify(snap([...specs].reverse()).resident)).toBe(JSON.stringify(snap().resident));
    expect(snap().resident.map(({ name }) => name)).toEqual(['ask', 'read']);
    expect(snap().deferred.map(({ name }) => name)).toEqual(['dig', 'zip']);
  });

  it('does not list what is denied', () => {
    expect([...snap(specs, ['read', 'zip']).byName.keys()]).toEqual(['ask', 'dig']);
  });
});

describe('activateTools', () => {
  it('appends in activation order, once, and nothing else moves', () => {
    const snapshot = snap();
    const first = activateTools(snapshot, [], ['zip', 'read', 'nothing']);
    const second = activateTools(snapshot, first, ['dig', 'zip']);
    expect(second).toEqual(['zip', 'dig']);
    const before = JSON.stringify(activeMetadata(snapshot, first)).slice(0, -1);
    expect(JSON.stringify(activeMetadata(snapshot, second)).startsWith(before)).toBe(true);
  });
});
