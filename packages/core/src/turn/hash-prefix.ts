import { createHash } from 'node:crypto';
import type { ModelRequest } from './model-client.ts';

export type Prefix = {
  /** Length and hash of each segment, as `<tools>:<sha256>/<sha256>/<messages>:<sha256>`; state and proof in one text. */
  text: string;
  /** True where the request only grew behind what `previous` names. */
  appendOnly: boolean;
  requestBytes: number;
};

/** Running SHA-256 over the exact request, segment by segment: the system never changes, tools and messages grow at their ends. */
export function hashPrefix(request: ModelRequest, previous: string | null): Prefix {
  const tools = request.tools.map((tool) => JSON.stringify(tool));
  const messages = request.transcript.map((item) => JSON.stringify(item));
  const system = sha256([request.system]);
  const text = `${tools.length}:${sha256(tools)}/${system}/${messages.length}:${sha256(messages)}`;
  const bytes = [request.system, ...tools, ...messages].reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  return { text, appendOnly: previous === null || startsWith(previous, tools, system, messages), requestBytes: bytes };
}

/** How many tools the request had that a prefix stands for. */
export function toolsOf(prefix: string | null): number {
  return Number.parseInt(prefix ?? '0', 10);
}

function startsWith(previous: string, tools: string[], system: string, messages: string[]): boolean {
  const match = /^(\d+):([0-9a-f]+)\/([0-9a-f]+)\/(\d+):([0-9a-f]+)$/.exec(previous);
  if (!match) return false;
  const [, toolCount, toolHash, systemHash, messageCount, messageHash] = match;
  return (
    systemHash === system &&
    sha256(tools.slice(0, Number(toolCount))) === toolHash &&
    sha256(messages.slice(0, Number(messageCount))) === messageHash
  );
}

function sha256(parts: readonly string[]): string {
  const hash = createHash('sha256');
  // The length in front keeps two lists with the same joined text apart.
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('hex');
}
