import { ensureNode } from './node24.mjs';

await ensureNode();

const { exitWith } = await import('./bootstrap/setup-error.ts');
const { start } = await import('./start/start.ts');
await start(process.argv.slice(2), true).catch(exitWith);
