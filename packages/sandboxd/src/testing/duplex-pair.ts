import { type Duplex, duplexPair } from 'node:stream';
import { AgentServer, type Handlers } from '../agent/serve.ts';
import type { CallContext } from '../agent/server-call.ts';
import { AgentError } from '../agent-error.ts';
import { operations } from '../operations.ts';

/** Both ends of a stream within one process. */
export function openPair(): [Duplex, Duplex] {
  const [one, other] = duplexPair();
  return [one, other];
}

/** A server whose operations are all `unavailable` but the given ones. */
export function fakeServer(handlers: Partial<Handlers>): AgentServer {
  const refuse = (_args: unknown, _call: CallContext) =>
    Promise.reject(new AgentError('unavailable', 'Not in this test.'));
  // Every name is filled, which the builder of the object cannot show to the compiler.
  const all = { ...Object.fromEntries(Object.keys(operations).map((op) => [op, refuse])), ...handlers } as Handlers;
  const features = { pty: false, git: false, ripgrep: false, background: true, processes: false };
  return new AgentServer(all, { version: 'test', bootId: 'boot', isolation: 'none', features });
}
