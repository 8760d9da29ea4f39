import { buildSandboxd } from './bootstrap/build-sandboxd.ts';
import { buildWeb } from './bootstrap/build-web.ts';
import { generate } from './bootstrap/generate.ts';
import { type InstallScope, install } from './bootstrap/install.ts';
import { lockCheckout } from './bootstrap/lock-checkout.ts';
import { makeDatabase } from './bootstrap/make-database.ts';

export type BootstrapParts = {
  install: InstallScope;
  web: boolean;
  sandboxd: boolean;
  /** Data folder whose embedded database is made where there is none yet. */
  dataDir?: string;
};

/**
 * From a fresh clone to something that can run; each part does nothing when its inputs have not changed. `onRunnable`
 * is called as soon as a runner could start, which is long before the pages are built.
 */
export async function bootstrap(parts: BootstrapParts, onRunnable?: () => void): Promise<void> {
  // A signal's default would end this process alone; an exit takes the running step and the lock along.
  const end = (): never => process.exit(130);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, end);
  await lockCheckout(async () => {
    await install(parts.install);
    // None of these reads what another one writes.
    const pages = parts.web ? buildWeb() : null;
    const runnable = Promise.all([
      generate(),
      parts.sandboxd ? buildSandboxd() : null,
      parts.dataDir === undefined ? null : makeDatabase(parts.dataDir),
    ]);
    await Promise.all([runnable.then(onRunnable), pages]);
  });
  for (const signal of signals) process.off(signal, end);
}
