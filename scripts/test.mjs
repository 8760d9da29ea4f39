import { ensureNode } from './node24.mjs';

await ensureNode();

const { bootstrap } = await import('./bootstrap.ts');
const { watchLauncher } = await import('./start/watch-launcher.ts');
const { exitWith } = await import('./bootstrap/setup-error.ts');
const { runTests, wantsBrowser } = await import('./test/run-tests.ts');
// Killed from above without a word, this script would else go on for minutes.
watchLauncher(() => process.kill(process.pid, 'SIGTERM'));
await bootstrap({ install: 'all', web: wantsBrowser(process.argv.slice(2)), sandboxd: true }).catch(exitWith);
process.exit(await runTests(process.argv.slice(2)).catch(exitWith));
