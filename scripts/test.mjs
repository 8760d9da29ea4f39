import { ensureNode } from './node24.mjs';

await ensureNode();

const { bootstrap } = await import('./bootstrap.ts');
const { exitWith } = await import('./bootstrap/setup-error.ts');
const { runTests, wantsBrowser } = await import('./test/run-tests.ts');
await bootstrap({ web: wantsBrowser(process.argv.slice(2)), sandboxd: true }).catch(exitWith);
process.exit(await runTests(process.argv.slice(2)).catch(exitWith));
