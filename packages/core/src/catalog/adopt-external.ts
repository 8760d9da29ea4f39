import type { Capability } from '../contract/capability.ts';
import type { JsonObject } from '../contract/json.ts';
import type { ToolOutput } from '../contract/tool-call.ts';
import type { ToolContextBase, ToolSource, ToolSpec } from '../contract/tool-spec.ts';
import { validateExternal } from './validate-external.ts';

/** A foreign declaration: an MCP tool, an extension's, or a layer-1 Tool. */
export type ExternalTool = {
  name: string;
  description: string;
  inputSchema: JsonObject;
  source: ToolSource;
  family: string;
  /** Names and annotations of servers may raise, never lower. */
  raises?: readonly Capability[];
  /** An administrator has reviewed this pinned definition and found that it only reads. */
  reviewedReadOnly?: boolean;
  /** Milliseconds of `execute`. Default 60,000. */
  timeoutMs?: number;
  execute(input: JsonObject, context: ToolContextBase): Promise<ToolOutput>;
};

const longestName = 64;

/** Turns a foreign declaration into a governed spec that needs the network and a person's yes, deferred and serial. */
export function adoptExternal(tool: ExternalTool): ToolSpec {
  const reads = tool.reviewedReadOnly === true && (tool.raises ?? []).length === 0;
  const assumed: Capability[] = reads
    ? ['network', 'read_only']
    : ['network', 'requires_approval', ...(tool.raises ?? [])];
  const validate = validateExternal(tool.name, tool.inputSchema);
  return {
    name: tool.name,
    family: tool.family,
    description: tool.description,
    inputSchema: tool.inputSchema,
    capabilities: new Set(assumed),
    uses: new Set(),
    parallel: false,
    load: 'deferred',
    timeoutMs: tool.timeoutMs ?? 60_000,
    interactive: false,
    pollable: false,
    source: tool.source,
    parseInput: validate,
    validate: () => undefined,
    approvalFor: () => ({}),
    title: () => tool.name,
    execute: (input, context) => tool.execute(input, context),
  };
}

/** `mcp__<server>__<tool>` within 64 characters; what is cut off or replaced leaves a hash, so that names stay apart. */
export function externalToolName(server: string, tool: string): string {
  const plain = (name: string) => name.replace(/[^a-zA-Z0-9_-]/g, '_');
  const name = `mcp__${plain(server)}__${plain(tool)}`;
  const exact = name.length <= longestName && plain(server) === server && plain(tool) === tool;
  if (exact) return name;
  const hash = fingerprint(`${server}\n${tool}`);
  return `${name.slice(0, longestName - hash.length - 1)}_${hash}`;
}

/** FNV-1a, 32 bits: apart from each other is enough here, nobody is kept out by it. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}
