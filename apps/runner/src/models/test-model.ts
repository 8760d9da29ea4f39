import type { Clock, ModelClient, ModelDelta, ModelRequest } from '@oneslot/core';
import type { TestPhase } from '../services.ts';

/** One small question with one tool: enough to see whether the provider answers, streams and calls. */
const probe: ModelRequest = {
  system: 'This is a connection test. Answer by calling the tool ping once.',
  tools: [
    {
      name: 'ping',
      description: 'Answers a connection test.',
      inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
      load: 'resident',
      source: 'builtin',
      family: 'test',
      baseLevel: 'auto',
    },
  ],
  transcript: [{ kind: 'user', text: 'Call ping with the word "ready".' }],
};
const patienceMs = 60_000;

/** What people read on the models page: each phase with what happened and how long it took. */
export async function testModel(model: ModelClient, clock: Clock): Promise<TestPhase[]> {
  const startedAt = clock.now();
  const since = () => clock.now() - startedAt;
  const seen: ModelDelta[] = [];
  let firstMs: number | null = null;
  try {
    for await (const delta of model.stream(probe, AbortSignal.timeout(patienceMs))) {
      firstMs ??= since();
      seen.push(delta);
    }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return [{ name: 'answer', ok: false, detail, tookMs: since() }];
  }
  const calls = seen.some((delta) => delta.kind === 'call');
  const finished = seen.some((delta) => delta.kind === 'finish');
  return [
    phase('answer', firstMs !== null, firstMs === null ? 'It sent nothing.' : 'It streams.', firstMs ?? since()),
    phase(
      'end',
      finished,
      finished ? 'The stream has its end mark.' : 'The stream ended without an end mark.',
      since(),
    ),
    phase(
      'tools',
      calls,
      calls ? 'It called the tool it was offered.' : 'It did not call the tool; agents need that.',
      since(),
    ),
  ];
}

function phase(name: string, ok: boolean, detail: string, tookMs: number): TestPhase {
  return { name, ok, detail, tookMs };
}
