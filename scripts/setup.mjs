import { ensureNode } from './node24.mjs';

await ensureNode();

const { bootstrap } = await import('./bootstrap.ts');
const { exitWith } = await import('./bootstrap/setup-error.ts');
await bootstrap({ install: 'run', web: true, sandboxd: true }).catch(exitWith);
console.log('✓ ready: npm start');
