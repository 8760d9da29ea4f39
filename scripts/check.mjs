import { ensureNode } from './node24.mjs';

await ensureNode();

const { bootstrap } = await import('./bootstrap.ts');
const { exitWith } = await import('./bootstrap/setup-error.ts');
const { runChecks } = await import('./check/run-checks.ts');
await bootstrap({ web: false, sandboxd: false }).catch(exitWith);
process.exit(await runChecks(process.argv.slice(2)));
