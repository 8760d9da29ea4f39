import type { ToolSource, ToolSpec } from '../contract/tool-spec.ts';
import { ToolError } from '../errors.ts';

const failClosedDescription = 'Unavailable: this tool failed to initialise and is fail-closed. Do not call it.';

/** The stand-in for a broken definition: visible, so that the model gets an answer, and refusing for ever. */
export function failClosedTool(name: string, source: ToolSource, reason: string): ToolSpec {
  const refuse = (): never => {
    throw new ToolError('unavailable', `${name} is unavailable: ${reason}`, {
      next: 'Do not call it again; use another tool or tell the user.',
    });
  };
  return {
    name,
    family: 'unavailable',
    description: failClosedDescription,
    inputSchema: { type: 'object', properties: {} },
    capabilities: new Set(['requires_approval'] as const),
    uses: new Set(),
    parallel: false,
    load: 'deferred',
    timeoutMs: 1_000,
    interactive: false,
    pollable: false,
    source,
    failClosed: reason,
    parseInput: refuse,
    validate: refuse,
    approvalFor: () => ({ level: 'required', refuse: reason }),
    title: () => name,
    execute: async () => refuse(),
  };
}
