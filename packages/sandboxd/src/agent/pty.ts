import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import type { IPty, IPtyForkOptions } from '@lydell/node-pty';
import { AgentError } from '../agent-error.ts';
import { commandEnvironment } from './environment.ts';
import { killTree, signalGroup } from './kill.ts';
import { listeningPorts } from './proc.ts';

type BytePty = Omit<IPty, 'write' | 'onData'> & {
  write(bytes: Buffer): void;
  onData(listener: (bytes: Buffer) => void): unknown;
};
export type PtyLibrary = { spawn(file: string, words: string[], options: IPtyForkOptions): BytePty };
export type PtyStart = {
  words: string[];
  folder: string;
  environment: NodeJS.ProcessEnv;
  extra: Record<string, string>;
  columns: number;
  rows: number;
};
export type PtyEnd = { exitCode: number | null; signal: string | null };
export type Pty = {
  onData(listener: (bytes: Buffer) => void): void;
  ended: Promise<PtyEnd>;
  write(bytes: Uint8Array): void;
  resize(columns: number, rows: number): void;
  pause(): void;
  resume(): void;
  kill(first: NodeJS.Signals, graceMs: number): Promise<void>;
  signal(name: NodeJS.Signals): void;
  ports(): number[];
};

/** Loads the library; native code, which nobody needs before the first terminal. @throws AgentError unavailable */
export type LoadPty = () => PtyLibrary;

/** The library is per platform; where it is missing there are no terminals, and that is all. */
export function findPty(): LoadPty | null {
  const name = '@lydell/node-pty';
  try {
    const near = createRequire(import.meta.url);
    const place = near.resolve(name);
    createRequire(place).resolve(`${name}-${process.platform}-${process.arch}/pty.node`);
    return () => load(near, place);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}

function load(near: NodeJS.Require, place: string): PtyLibrary {
  try {
    // With encoding null it takes and gives bytes, which its types do not say.
    return near(place) as PtyLibrary;
  } catch (cause) {
    throw new AgentError('unavailable', 'The terminal library of this sandbox does not work here.', { cause });
  }
}

/** A shell on a terminal of its own, with the cookie that finds all of it again. */
export function startPty(load: LoadPty, start: PtyStart): Pty {
  const cookie = randomBytes(16).toString('hex');
  const env = { ...commandEnvironment(start.environment, start.extra, cookie), TERM: 'xterm-256color' };
  const pty = load().spawn('bash', start.words, {
    name: 'xterm-256color',
    cols: start.columns,
    rows: start.rows,
    cwd: start.folder,
    env,
    encoding: null,
  });
  return {
    onData: (listener) => void pty.onData(listener),
    ended: endOf(pty),
    write: (bytes) => pty.write(Buffer.from(bytes)),
    resize: (columns, rows) => pty.resize(columns, rows),
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    kill: async (first, graceMs) => void (await killTree({ groupId: pty.pid, cookie, first, graceMs })),
    signal: (name) => void signalGroup(pty.pid, name),
    ports: () => listeningPorts(cookie),
  };
}

/** A death by signal comes with exit code 0: the signal is what counts. */
function endOf(pty: BytePty): Promise<PtyEnd> {
  return new Promise((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0] ?? null;
      resolve(name === null ? { exitCode, signal: null } : { exitCode: null, signal: name });
    });
  });
}
