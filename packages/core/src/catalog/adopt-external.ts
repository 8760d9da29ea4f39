import type { JsonObject } from '../contract/json.ts';
import type { ToolOutput } from '../contract/tool-call.ts';
import type { ToolContextBase, ToolSource, ToolSpec } from '../contract/tool-spec.ts';

/** A foreign declaration: an MCP tool, an extension's, or a layer-1 Tool. */
export type ExternalTool = {
  name: string;
  description: string;
  inputSchema: JsonObject;
  source: ToolSource;
  family: string;
  execute(input: JsonObject, context: ToolContextBase): Promise<ToolOutput>;
};

/** Turns a foreign declaration into a governed spec that needs the network and a person's yes. */
export function adoptExternal(tool: ExternalTool): ToolSpec {
  return {
    name: tool.name,
    family: tool.family,
    description: tool.description,
    inputSchema: tool.inputSchema,
    capabilities: new Set(['network', 'requires_approval'] as const),
    uses: new Set(),
    parallel: false,
    load: 'deferred',
    timeoutMs: 60_000,
    interactive: false,
    pollable: false,
    source: tool.source,
    parseInput: (input) => ({ input, warnings: [] }),
    validate: () => undefined,
    approvalFor: () => ({}),
    title: () => tool.name,
    execute: (input, context) => tool.execute(input, context),
  };
}
