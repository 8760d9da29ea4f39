import { ensureNode } from './node24.mjs';

await ensureNode();

const { bootstrap } = await import('./bootstrap.ts');
const { exitWith } = await import('./bootstrap/setup-error.ts');
const { runCommand } = await import('./bootstrap/run-command.ts');
await bootstrap({ web: true, sandboxd: true }).catch(exitWith);
const { code } = await runCommand(process.execPath, ['bench/turn/main.ts', ...process.argv.slice(2)], { show: true });
process.exit(code);
