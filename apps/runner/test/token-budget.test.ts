import { createSessionCatalog, type Isolation, loadTools, registerTools } from '@oneslot/core';
import { expect, test } from 'vitest';
import { responsesBody } from '../src/models/openai-responses.ts';
import { buildSystemPrompt } from '../src/sessions/system-prompt.ts';
import { listBuiltinTools } from '../src/sources/builtin.ts';
import { countTokens } from './lib/count-tokens.ts';

const budget = 6_000;
const deferredBudget = 20;

/** What stands in front of every message, as it is sent. */
async function prefix() {
  const { specs, failures } = await loadTools(await listBuiltinTools());
  const catalog = createSessionCatalog({ catalog: registerTools(specs, failures) });
  const systems = (['container', 'vm', 'namespace', 'simulated', 'none'] satisfies Isolation[]).map((isolation) =>
    buildSystemPrompt({ deferred: catalog.deferred(), isolation }),
  );
  const { tools } = responsesBody(
    { model: 'gpt', dialect: 'openai' },
    { system: '', tools: catalog.metadata(), transcript: [] },
  );
  return { systems, tools: tools ?? [], deferred: catalog.deferred() };
}

test('resident tools and instructions cost at most 6,000 tokens', async () => {
  const [{ systems, tools }, count] = await Promise.all([prefix(), countTokens()]);
  const definitions = count(JSON.stringify(tools));
  const longest = Math.max(...systems.map(count));
  process.stdout.write(
    `prefix: ${definitions + longest} tokens of ${budget} (o200k): ${tools.length} resident tools ${definitions}, instructions ${longest}\n`,
  );
  expect(tools.length).toBeGreaterThan(0);
  expect(definitions + longest).toBeLessThanOrEqual(budget);
});

test('a deferred tool costs at most 20 tokens', async () => {
  const [{ deferred }, count] = await Promise.all([prefix(), countTokens()]);
  const index = (tools: typeof deferred) => count(buildSystemPrompt({ deferred: tools, isolation: 'container' }));
  for (const tool of deferred) {
    const cost = index([tool, tool]) - index([tool]);
    expect(cost, tool.name).toBeLessThanOrEqual(deferredBudget);
  }
});
