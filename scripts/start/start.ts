import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheDir, inRoot, root } from '../bootstrap/paths.ts';
import { bootstrap } from '../bootstrap.ts';
import { freePort } from '../free-port.ts';
import { checkHost, urlHost } from './check-host.ts';
import { type Child, startChild } from './child.ts';
import { keepWeb, type Web } from './keep-web.ts';
import { help, type Options, readOptions } from './options.ts';
import { watchLauncher } from './watch-launcher.ts';

const graceMs = 10_000;

/** Everything from a fresh clone to one URL; returns only by ending the process. */
export async function start(args: readonly string[]): Promise<void> {
  const options = readOptions(args, process.env);
  if (options.help) return console.log(help);
  await checkHost(options);
  await bootstrap({ web: true, sandboxd: true });
  const webPort = await freePort();
  const address = `http://${urlHost(options.host)}:${options.port}`;
  const web = keepWeb(webPort, address);
  const runner = startRunner(options, webPort);
  const end = endOnce(runner, web);
  void runner.ended.then((code) => end(code, 'the runner ended'));
  watchLauncher(() => void end(0, 'the program that started this is gone'));
  process
    .on('SIGINT', () => void end(0, 'stopping'))
    .on('SIGTERM', () => void end(0, 'stopping'))
    .on('SIGHUP', () => void end(0, 'stopping'));
  await Promise.all([web.ready, waitForRunner(address, runner)]);
  const url = publicUrl(options);
  console.log(`\nOneslot is ready: ${url}\nCtrl-C ends it.`);
  if (options.open) openBrowser(url);
}

function startRunner(options: Options, webPort: number): Child {
  return startChild({
    script: inRoot('apps/runner/src/main.ts'),
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: `${cacheDir}/compile`,
      ONESLOT_PORT: String(options.port),
      ONESLOT_HOST: options.host,
      ONESLOT_DATA_DIR: options.dataDir,
      ONESLOT_ENGINE: options.engine,
      ONESLOT_WEB_URL: `http://127.0.0.1:${webPort}`,
    },
    onLine: (line, from) => (from === 'stdout' ? console.log(line) : console.error(line)),
  });
}

/** The first reason to end wins; a second Ctrl-C meanwhile ends without waiting. */
function endOnce(runner: Child, web: Web): (code: number, why: string) => Promise<void> {
  let ending = false;
  return async (code, why) => {
    if (ending) return;
    ending = true;
    process.on('SIGINT', () => process.exit(130));
    if (code !== 0) console.error(`✗ ${why} with code ${code}; its message is above.`);
    else console.log(`\n${why} …`);
    await runner.stop(graceMs);
    await web.stop(2000);
    process.exit(code);
  };
}

/** Ready means it answers, whatever it thinks of its parts; what is wrong with those the page shows. */
async function waitForRunner(address: string, runner: Child): Promise<void> {
  let alive = true;
  void runner.ended.then(() => {
    alive = false;
  });
  while (alive && !(await isReady(address))) await sleep(40);
  // The other end of `runner.ended` ends this process.
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

function publicUrl(options: Options): string {
  if (process.env.ONESLOT_PUBLIC_URL) return process.env.ONESLOT_PUBLIC_URL;
  const host = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(options.host) ? 'localhost' : urlHost(options.host);
  return `http://${host}:${options.port}`;
}

function openBrowser(url: string): void {
  const program = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open';
  spawn(program, [url], { stdio: 'ignore', detached: true })
    .on('error', (error) => console.error(`The browser could not be opened (${error.message}); open ${url} yourself.`))
    .unref();
}
