import { connect } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { webServer } from '../bootstrap/build-web.ts';
import { compileCache, inRoot } from '../bootstrap/paths.ts';
import { type Child, type ChildOptions, startChild } from './child.ts';

const firstDelayMs = 500;
const maxDelayMs = 30_000;
const steadyMs = 60_000; // a server that lived this long starts again without the delays of earlier crashes

export type Web = { ready: Promise<void>; stop: (graceMs: number) => Promise<void> };
export type WebProgram = Pick<ChildOptions, 'script' | 'args' | 'cwd' | 'env'>;

/** The server that the build left behind. */
export function builtWeb(port: number, runnerUrl: string): WebProgram {
  return { script: webServer, cwd: dirname(webServer), env: webEnv(port, runnerUrl, 'production') };
}

/** The development server: pages are built as they are asked for and reload on change. */
export function devWeb(port: number, runnerUrl: string): WebProgram {
  const script = inRoot('apps/web/node_modules/next/dist/bin/next');
  const args = ['dev', '--port', String(port), '--hostname', '127.0.0.1'];
  return { script, args, cwd: inRoot('apps/web'), env: webEnv(port, runnerUrl, 'development') };
}

/** The web app holds nothing secret, so it is handed nothing: these names and what is set here. */
const passedOn = /^(PATH|HOME|USER|TZ|LANG|LC_.*|TMPDIR|TEMP|TMP|SystemRoot|NODE_EXTRA_CA_CERTS|NODE_OPTIONS)$/;

export function webEnv(port: number, runnerUrl: string, mode: string): Record<string, string | undefined> {
  const passed = Object.entries(process.env).filter(([name]) => passedOn.test(name));
  return {
    ...Object.fromEntries(passed),
    NODE_ENV: mode,
    NEXT_TELEMETRY_DISABLED: '1',
    NODE_COMPILE_CACHE: compileCache,
    HOSTNAME: '127.0.0.1',
    PORT: String(port),
    ONESLOT_RUNNER_URL: runnerUrl,
  };
}

/** Runs the page server on loopback and starts it again when it dies, later each time. */
export function keepWeb(program: WebProgram, port: number): Web {
  const stopped = new AbortController();
  let child: Child;
  const loop = async (): Promise<void> => {
    let delayMs = firstDelayMs;
    while (!stopped.signal.aborted) {
      const started = performance.now();
      child = startChild({ ...program, onLine: showErrors });
      const code = await child.ended;
      if (stopped.signal.aborted) return;
      if (performance.now() - started > steadyMs) delayMs = firstDelayMs;
      console.error(`✗ the web app ended with code ${code}; starting it again in ${delayMs / 1000} s`);
      await sleep(delayMs, undefined, { signal: stopped.signal }).catch(ignoreAbort);
      delayMs = Math.min(delayMs * 2, maxDelayMs);
    }
  };
  const ended = loop();
  return {
    ready: waitForPort(port, stopped.signal),
    stop: async (graceMs) => {
      stopped.abort();
      await child.stop(graceMs);
      await ended;
    },
  };
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error;
}

// The page server greets on its standard output with an address nobody should use; only its errors are for people.
function showErrors(line: string, from: 'stdout' | 'stderr'): void {
  if (from === 'stderr') console.error(`[web] ${line}`);
}

async function waitForPort(port: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await answers(port))) await sleep(30);
}

function answers(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
