import { AgentError } from '../agent-error.ts';
import type { OperationArgs, OperationResult } from '../operations.ts';
import { type Root, resolveReal, toRelative } from './confine.ts';
import { type LoadPty, type Pty, startPty } from './pty.ts';
import type { Handlers } from './serve.ts';
import type { CallContext } from './server-call.ts';

const closeGraceMs = 200;
/** Output held while the runner has granted nothing; beyond it the terminal is told to wait. */
const heldBytes = 262_144;

/** Shells on terminals: each lives exactly as long as the call that opened it. */
export function createTerminalHandlers(
  root: Root,
  environment: NodeJS.ProcessEnv,
  loadPty: LoadPty,
): Pick<Handlers, 'terminal.open' | 'terminal.resize'> {
  const open = new Map<number, Pty>();
  return {
    'terminal.open': async ({ columns, rows, cwd }, call) => {
      const folder = cwd === undefined ? root.path : resolveReal(root, toRelative(root, cwd));
      const pty = startPty(loadPty, {
        // No start-up files: what the agent left in a home must not act when a person opens a terminal.
        words: ['--noprofile', '--norc', '-i'],
        folder,
        environment,
        extra: { PS1: '\\w\\$ ' },
        columns,
        rows,
      });
      open.set(call.id, pty);
      try {
        return await attach(pty, call);
      } finally {
        open.delete(call.id);
      }
    },
    'terminal.resize': async ({ terminalId, columns, rows }: OperationArgs<'terminal.resize'>) => {
      const pty = open.get(terminalId);
      if (!pty) throw new AgentError('not_found', 'That terminal has ended.');
      pty.resize(columns, rows);
      return {};
    },
  };
}

async function attach(pty: Pty, call: CallContext): Promise<OperationResult<'terminal.open'>> {
  call.signal.addEventListener('abort', () => void pty.kill('SIGHUP', closeGraceMs));
  const output = pumpOutput(pty, call);
  feed(pty, call).catch(() => pty.kill('SIGHUP', closeGraceMs));
  const end = await pty.ended;
  await output();
  call.signal.throwIfAborted();
  // What the shell left in other groups still holds the cookie.
  await pty.kill('SIGHUP', closeGraceMs);
  return end;
}

/** Keys in, until the runner closes the stream. */
async function feed(pty: Pty, call: CallContext): Promise<void> {
  for await (const bytes of call.input) pty.write(bytes);
}

/** Screen out, in order, no faster than the runner takes it. Returns what waits for the rest. */
function pumpOutput(pty: Pty, call: CallContext): () => Promise<void> {
  let sent = Promise.resolve();
  let held = 0;
  pty.onData((bytes) => {
    held += bytes.length;
    if (held > heldBytes) pty.pause();
    sent = sent.then(async () => {
      await call.write(bytes);
      held -= bytes.length;
      if (held <= heldBytes) pty.resume();
    });
    sent.catch(() => undefined);
  });
  return () => sent;
}
