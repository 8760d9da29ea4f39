import { ensureNode } from './node24.mjs';

await ensureNode();

const { bootstrap } = await import('./bootstrap.ts');
const { exitWith } = await import('./bootstrap/setup-error.ts');
const { runCommand } = await import('./bootstrap/run-command.ts');
// `core` measures acts of the slot alone; without a word it is whole turns of the running product.
const [subject, ...rest] = process.argv.slice(2);
const core = subject === 'core';
const args = core ? ['bench/core/main.ts', ...rest] : ['bench/turn/main.ts', ...process.argv.slice(2)];
await bootstrap({ install: 'all', web: !core, sandboxd: !core }).catch(exitWith);
const { code } = await runCommand(process.execPath, args, { show: true });
process.exit(code);
