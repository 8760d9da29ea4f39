import { cpSync, existsSync, rmSync } from 'node:fs';
import { inRoot } from './paths.ts';
import { progress } from './progress.ts';
import { lastLines, runCommand } from './run-command.ts';
import { SetupError } from './setup-error.ts';
import { hashInputs, isStamped, removeStamp, writeStamp } from './stamp.ts';

/** The server that `next build` leaves behind; the folder above it is the root its file tracing starts from. */
export const webServer = inRoot('apps/web/.next/standalone/apps/web/server.js');

// The router reaches the web app only as types, which the build leaves to `npm run check`.
const webInputs = ['apps/web', 'pnpm-lock.yaml', 'tsconfig.base.json'].map((path) => inRoot(path));

/** Builds the pages and puts their static files where the standalone server looks for them. */
export async function buildWeb(): Promise<void> {
  const hash = hashInputs(webInputs);
  if (isStamped('web', hash) && existsSync(webServer)) return;
  removeStamp('web');
  await progress('building the web app', async () => {
    const end = await runCommand(process.execPath, ['node_modules/next/dist/bin/next', 'build'], {
      cwd: inRoot('apps/web'),
    });
    if (end.code !== 0) {
      console.error(lastLines(end.output, 60));
      throw new SetupError(
        'The web app could not be built; the reason is above.',
        'Mend it and run the command again; `npm run check` shows all type errors.',
      );
    }
    copyStatic();
  });
  writeStamp('web', hash);
}

function copyStatic(): void {
  const target = inRoot('apps/web/.next/standalone/apps/web');
  for (const [from, to] of [
    ['.next/static', '.next/static'],
    ['public', 'public'],
  ] as const) {
    const source = inRoot('apps/web', from);
    rmSync(`${target}/${to}`, { recursive: true, force: true });
    if (existsSync(source)) cpSync(source, `${target}/${to}`, { recursive: true });
  }
}
