import { ensureNode } from './node24.mjs';

await ensureNode();

const { bootstrap } = await import('./bootstrap.ts');
const { exitWith } = await import('./bootstrap/setup-error.ts');
const { runCommand } = await import('./bootstrap/run-command.ts');
await bootstrap({ install: 'all', web: false, sandboxd: false }).catch(exitWith);
const { code } = await runCommand(
  process.execPath,
  ['node_modules/@biomejs/biome/bin/biome', 'check', '--write', ...process.argv.slice(2)],
  { show: true },
);
process.exit(code);
