import { ensureNode } from './node24.mjs';

await ensureNode();

const { bootstrap } = await import('./bootstrap.ts');
const { watchLauncher } = await import('./start/watch-launcher.ts');
const { exitWith } = await import('./bootstrap/setup-error.ts');
const { runChecks } = await import('./check/run-checks.ts');
// Killed from above without a word, this script would else go on for minutes.
watchLauncher(() => process.kill(process.pid, 'SIGTERM'));
await bootstrap({ install: 'all', web: false, sandboxd: false }).catch(exitWith);
process.exit(await runChecks(process.argv.slice(2)));
