import type { Running } from './boot.ts';
import { readEnv } from './env.ts';
import { explain, report } from './report.ts';
import { openPool } from './store/open-pool.ts';

function endOnSignals(running: Running): void {
  const state = { ending: false };
  const end = (): void => {
    if (state.ending) return;
    state.ending = true;
    running.close().then(
      () => process.exit(0),
      (cause: unknown) => {
        report({ message: 'the end was not clean', cause });
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
}

try {
  const env = readEnv();
  const { databaseUrl, dataDir } = env;
  // The database opens in its own thread while the rest of the runner is loaded, which takes as long.
  const opening = openPool(databaseUrl === null ? { dataDir } : { databaseUrl });
  const [opened, { boot }] = await Promise.all([opening, import('./boot.ts')]);
  endOnSignals(await boot(env, opened));
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}
