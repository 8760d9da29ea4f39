import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type BrowserContext, test as base, expect } from '@playwright/test';
import { freePort } from '../scripts/free-port.ts';
import { removeSessions } from './account.ts';

export type ProductOptions = { engine: 'simulated' | 'docker' };
/** A running product on a data folder of its own. */
export type Product = { url: string; setupLink: string; output: () => string; restart: () => Promise<void> };

const root = resolve(import.meta.dirname, '..');
const startTimeoutMs = 300_000; // the first start of a checkout builds

/** Starts the product once a worker, and fails every test whose pages broke the content policy or logged an error. */
export const test = base.extend<{ problems: string[] }, ProductOptions & { product: Product }>({
  engine: ['simulated', { option: true, scope: 'worker' }],
  product: [
    async ({ engine }, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'oneslot-e2e-'));
      const running = await launch(dataDir, engine);
      await use(running.product);
      // What lies on an engine outlives the data folder.
      if (engine === 'docker') await removeSessions(running.product.url);
      await running.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: startTimeoutMs + 30_000 },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  problems: async ({ engine: _engine }, use) => use([]),
  context: async ({ context, problems }, use) => {
    await watch(context, problems);
    await use(context);
    expect(problems, 'pages break no policy and log no error').toEqual([]);
  },
});
export { expect };

/** Collects what a page does wrong without anybody seeing it. Also for contexts a test opens itself. */
export async function watch(context: BrowserContext, problems: string[]): Promise<void> {
  await context.exposeBinding('reportViolation', (_source, text: string) => void problems.push(text));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const report = Reflect.get(window, 'reportViolation');
      report(`${event.violatedDirective} blocked ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber}`);
    });
  });
  context.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => void problems.push(`uncaught: ${error.error().message}`));
}

type Running = { product: Product; stop: () => Promise<void> };

async function launch(dataDir: string, engine: string): Promise<Running> {
  const port = await freePort();
  let output = '';
  let child = await startProduct(port, dataDir, engine, (text) => {
    output += text;
  });
  const product: Product = {
    url: `http://localhost:${port}`,
    setupLink: /https?:\/\/\S+\/setup\S*/.exec(output)?.[0] ?? '',
    output: () => output,
    restart: async () => {
      await end(child);
      child = await startProduct(port, dataDir, engine, (text) => {
        output += text;
      });
    },
  };
  return { product, stop: () => end(child) };
}

async function startProduct(
  port: number,
  dataDir: string,
  engine: string,
  onText: (text: string) => void,
): Promise<ChildProcess> {
  const args = ['scripts/start.mjs', '--port', String(port), '--data', dataDir, '--engine', engine];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: cleanEnv() });
  const { promise: ready, resolve: isReady, reject } = Promise.withResolvers<void>();
  let seen = '';
  const read = (chunk: Buffer): void => {
    seen += chunk.toString();
    onText(chunk.toString());
    if (seen.includes('Oneslot is ready')) isReady();
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.on('exit', (code) => reject(new Error(`The product ended with code ${code}:\n${seen}`)));
  const timer = setTimeout(() => reject(new Error(`The product was not ready in time:\n${seen}`)), startTimeoutMs);
  await ready.finally(() => clearTimeout(timer));
  return child;
}

/** Without the keys and addresses of whoever runs the tests. */
function cleanEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(ONESLOT_|OPENAI_)/.test(name)));
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
