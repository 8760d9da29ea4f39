import { spawn } from 'node:child_process';
import { bootstrap } from '../bootstrap.ts';
import { freePort } from '../free-port.ts';
import { checkHost, urlHost } from './check-host.ts';
import type { Child } from './child.ts';
import { builtWeb, devWeb, keepWeb, type Web } from './keep-web.ts';
import { help, type Options, readOptions } from './options.ts';
import { type Runner, startRunner, waitForRunner } from './runner.ts';
import { watchLauncher } from './watch-launcher.ts';

const graceMs = 10_000;

/** Everything from a fresh clone to one URL; returns only by ending the process. With `watch`, sources reload on change. */
export async function start(args: readonly string[], watch = false): Promise<void> {
  const options = readOptions(args, process.env);
  if (options.help) return console.log(help);
  await checkHost(options);
  const embedded = !process.env.ONESLOT_DATABASE_URL;
  const webPort = await freePort();
  const address = `http://${urlHost(options.host)}:${options.port}`;
  const started = Promise.withResolvers<Runner>();
  await bootstrap({ install: 'run', web: !watch, sandboxd: true, ...(embedded && { dataDir: options.dataDir }) }, () =>
    started.resolve(startRunner(options, webPort, watch)),
  );
  const runner = await started.promise;
  const web = keepWeb(watch ? devWeb(webPort, address) : builtWeb(webPort, address), webPort);
  const end = endOnce(runner, web);
  void runner.ended.then((code) => end(code, 'the runner ended'));
  watchLauncher(() => void end(0, 'the program that started this is gone'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0, 'stopping'));
  await Promise.all([web.ready, waitForRunner(address, runner)]);
  runner.show();
  const url = publicUrl(options);
  console.log(`\nOneslot is ready: ${url}\nCtrl-C ends it.`);
  if (options.open) openBrowser(url);
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

function publicUrl(options: Options): string {
  if (process.env.ONESLOT_PUBLIC_URL) return process.env.ONESLOT_PUBLIC_URL;
  const host = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(options.host) ? 'localhost' : urlHost(options.host);
  return `http://${host}:${options.port}`;
}

function openBrowser(url: string): void {
  const program = process.platform === 'darwin' ? 'open' : process.platform === 'win32' ? 'explorer' : 'xdg-open';
  spawn(program, [url], { stdio: 'ignore', detached: true })
    .on('error', (error) => console.error(`The browser could not be opened (${error.message}); open ${url} yourself.`))
    .unref();
}
