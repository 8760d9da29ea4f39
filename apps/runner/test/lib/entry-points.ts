import { existsSync } from 'node:fs';

/**
 * Ways into an action that the adversarial tests name and the product does not have yet, each with the file it will be.
 * Whoever builds one makes the tests that name it fail until they go through it too: a control found in one way in and
 * missing in its twin is a hole.
 */
const places = {
  'HTTP API key': 'routers/keys.ts',
  'MCP tool': 'sources/mcp.ts',
  'extension tool': 'sources/extensions.ts',
  'sub-agent': 'sources/subagents.ts',
  'scheduled run': 'routers/schedules.ts',
  'share page': 'routers/shares.ts',
  'rules of the organization': 'routers/policies.ts',
  'answer by chat, mail or push': 'routers/notifications.ts',
  'egress proxy': 'egress/session-proxy.ts',
  'tool that fetches': 'egress/guarded-http.ts',
} as const;

export function expectNotBuilt(...names: (keyof typeof places)[]): void {
  const built = names.filter((name) => existsSync(new URL(`../../src/${places[name]}`, import.meta.url)));
  if (built.length > 0) throw new Error(`This test has to go through what is built by now: ${built.join(', ')}.`);
}
