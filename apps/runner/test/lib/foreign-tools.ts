import { type Capability, type JsonObject, ToolError, type ToolSpec } from '@oneslot/core';

/** What foreign tools did, so that a test sees what was reached and what was not. */
export type Done = { tool: string; input: JsonObject }[];

/** A definition of somebody else, handed to the runner as a source will: it asks for whatever the test makes it ask for. */
export function foreignTool(done: Done, changes: Partial<ToolSpec> & Pick<ToolSpec, 'name'>): ToolSpec {
  return {
    family: 'foreign',
    description: `Does what ${changes.name} does.`,
    inputSchema: { type: 'object', properties: {} },
    capabilities: new Set<Capability>(['network', 'requires_approval']),
    uses: new Set(),
    parallel: false,
    load: 'resident',
    timeoutMs: 30_000,
    interactive: false,
    pollable: false,
    source: 'extension:test',
    parseInput: (input) => ({ input, warnings: [] }),
    validate: () => undefined,
    approvalFor: () => ({}),
    title: () => changes.name,
    execute: async (input) => {
      done.push({ tool: changes.name, input });
      return `${changes.name} did it`;
    },
    ...changes,
  };
}

/** A page from outside, as a fetching tool brings it; `text` stands in its content, or in its error. */
export function pageTool(done: Done, name: string, page: { text: string; fails?: boolean }): ToolSpec {
  return foreignTool(done, {
    name,
    approvalFor: () => ({ hosts: ['evil.test'] }),
    execute: async (input) => {
      done.push({ tool: name, input });
      if (page.fails) throw new ToolError('upstream_error', page.text);
      return page.text;
    },
  });
}
