import { expect, it } from 'vitest';
import type { SandboxEngine } from './engine.ts';
import { connectAgent, newSandboxSpec } from './open-sandbox.ts';

it('keeps why the first greeting failed where the second fails too', async () => {
  const reasons = [new Error('the socket is not there'), new Error('the process has ended')];
  const engine = {
    open: async () => Promise.reject(reasons.shift()),
    stop: async () => undefined,
    start: async () => undefined,
    inspect: async () => ({ state: 'running' }),
  } satisfies Partial<SandboxEngine>;
  const steps = { engine: engine as unknown as SandboxEngine, store: {} as never, tell: () => undefined };
  const ref = { ...newSandboxSpec(), ref: 'x', imageDigest: '' };
  const failure = await connectAgent(ref, steps, { epoch: 1, onLost: () => undefined }).catch((error) => error);
  expect(failure.message).toContain('the process has ended');
  expect(failure.cause.errors.map(String)).toEqual(['Error: the socket is not there', 'Error: the process has ended']);
});
