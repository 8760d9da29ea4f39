import { ensureNode } from './node24.mjs';

await ensureNode();

const { bootstrap } = await import('./bootstrap.ts');
const { inRoot } = await import('./bootstrap/paths.ts');
const { runCommand } = await import('./bootstrap/run-command.ts');
const { exitWith } = await import('./bootstrap/setup-error.ts');
await bootstrap({ install: 'all', web: false, sandboxd: false }).catch(exitWith);
const args = ['author-migration.ts', ...process.argv.slice(2)];
const { code } = await runCommand(process.execPath, args, { cwd: inRoot('prisma'), show: true });
process.exit(code);
