import { ensureNode } from './node24.mjs';

await ensureNode();

// Not in the environment: what is run once, such as a build, would only fill the cache.
const { enableCompileCache } = await import('node:module');
enableCompileCache(`${import.meta.dirname}/../.cache/compile`);

const { exitWith } = await import('./bootstrap/setup-error.ts');
const { start } = await import('./start/start.ts');
await start(process.argv.slice(2)).catch(exitWith);
