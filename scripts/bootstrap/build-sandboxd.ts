import { existsSync } from 'node:fs';
import { inRoot } from './paths.ts';
import { progress } from './progress.ts';
import { lastLines, runCommand } from './run-command.ts';
import { SetupError } from './setup-error.ts';
import { hashInputs, isStamped, removeStamp, writeStamp } from './stamp.ts';

/** Bundles the resident agent, which the sandbox image bakes in. */
export async function buildSandboxd(): Promise<void> {
  const folder = inRoot('packages/sandboxd');
  if (!existsSync(`${folder}/tsdown.config.ts`)) return;
  const hash = hashInputs([folder, inRoot('pnpm-lock.yaml')]);
  if (isStamped('sandboxd', hash) && existsSync(`${folder}/dist`)) return;
  removeStamp('sandboxd');
  await progress('bundling the sandbox agent', async () => {
    const end = await runCommand(process.execPath, ['node_modules/tsdown/dist/run.mjs'], { cwd: folder });
    if (end.code === 0) return;
    console.error(lastLines(end.output));
    throw new SetupError(
      'The sandbox agent could not be bundled; the reason is above.',
      'Mend packages/sandboxd and run the command again.',
    );
  });
  writeStamp('sandboxd', hash);
}
