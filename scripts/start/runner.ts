import { setTimeout as sleep } from 'node:timers/promises';
import { compileCache, inRoot, root } from '../bootstrap/paths.ts';
import { type Child, startChild } from './child.ts';
import type { Options } from './options.ts';

const greeting = /^(Oneslot runs at|First start)/;
const greetingMs = 10_000; // after that the address alone has to do

export type Runner = Child & {
  /** It has said how to get in: the setup link, or that there is an owner already. */
  greeted: Promise<void>;
  /** Prints what it said so far and from now on: nobody should follow its link before there are pages. */
  show(): void;
};

/** `watch` starts it again whenever one of its sources changes. */
export function startRunner(options: Options, webPort: number, watch: boolean): Runner {
  const { promise: greeted, resolve } = Promise.withResolvers<void>();
  const held: string[] = [];
  let print = (line: string): void => void held.push(line);
  const child = startChild({
    script: inRoot('apps/runner/src/main.ts'),
    nodeArgs: watch ? ['--watch', '--watch-preserve-output'] : [],
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: watch ? 'development' : 'production',
      NODE_COMPILE_CACHE: compileCache,
      ONESLOT_PORT: String(options.port),
      ONESLOT_HOST: options.host,
      ONESLOT_DATA_DIR: options.dataDir,
      ONESLOT_ENGINE: options.engine,
      ONESLOT_WEB_URL: `http://127.0.0.1:${webPort}`,
    },
    onLine: (line, from) => {
      if (from === 'stderr') return console.error(line);
      // Its address comes once, from the start script, when the pages are up as well.
      if (!line.startsWith('Oneslot runs at')) print(line);
      // The link of a first start stands in the next line, which comes with the same write.
      if (greeting.test(line)) setImmediate(resolve);
    },
  });
  const show = (): void => {
    print = console.log;
    for (const line of held.splice(0)) console.log(line);
  };
  return { ...child, greeted, show };
}

/** Ready means it answers, whatever it thinks of its parts; what is wrong with those the page shows. */
export async function waitForRunner(address: string, runner: Runner): Promise<void> {
  let alive = true;
  void runner.ended.then(() => {
    alive = false;
  });
  while (alive && !(await isReady(address))) await sleep(40);
  await Promise.race([runner.greeted, runner.ended, sleep(greetingMs, undefined, { ref: false })]);
  // Its end ends this process, so there is nothing to go on with.
  if (!alive) await new Promise(() => undefined);
}

async function isReady(address: string): Promise<boolean> {
  try {
    return (await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    // Not listening yet.
    return false;
  }
}
