import { ensureNode } from './node24.mjs';

await ensureNode();

const { bootstrap } = await import('./bootstrap.ts');
const { exitWith } = await import('./bootstrap/setup-error.ts');
await bootstrap({ install: 'all', web: false, sandboxd: false }).catch(exitWith);
// Only now: what scores the rows are packages that the line above installs.
const { runCases } = await import('./cases/run-cases.ts');
process.exit(await runCases(process.argv.slice(2)));
