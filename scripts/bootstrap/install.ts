import { existsSync, readdirSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { inRoot, pnpmVersion, root } from './paths.ts';
import { progress } from './progress.ts';
import { type CommandEnd, lastLines, runCommand } from './run-command.ts';
import { SetupError } from './setup-error.ts';
import { hashInputs, isStamped, removeStamp, writeStamp } from './stamp.ts';

const neededBytes = 2_500_000_000; // packages, their store and the build of a first start

/** Everything that decides what an install would do. */
export function installInputs(): string[] {
  const manifests = ['apps', 'packages']
    .flatMap((folder) => readdirSync(inRoot(folder)).map((name) => inRoot(folder, name, 'package.json')))
    .sort();
  return [
    inRoot('pnpm-lock.yaml'),
    inRoot('pnpm-workspace.yaml'),
    inRoot('package.json'),
    inRoot('prisma/package.json'),
    ...manifests,
  ];
}

/** What to install: what building and running need, or what checks and tests need as well. */
export type InstallScope = 'run' | 'all';

/** Installs exactly what the lock file says, unless that was done already. */
export async function install(scope: InstallScope): Promise<void> {
  const hash = hashInputs(installInputs());
  const isDone = isStamped('install-all', hash) || (scope === 'run' && isStamped('install-run', hash));
  if (isDone && existsSync(inRoot('node_modules'))) return;
  checkDisk();
  removeStamp('install-run');
  removeStamp('install-all');
  const flags = scope === 'run' ? ['--prod'] : [];
  await progress('installing packages', async () => {
    const end = await runPnpm(['install', '--frozen-lockfile', '--reporter=append-only', ...flags]);
    if (end.code !== 0) throw explain(end);
  });
  writeStamp(`install-${scope}`, hash);
}

function runPnpm(args: readonly string[]): Promise<CommandEnd> {
  const npm = process.env.npm_execpath ?? '';
  // CI: without a terminal pnpm would else stop to ask before it replaces a folder of another version.
  // The waits between tries: npm's own are a minute and more before it says that nobody answers.
  // One unpacker a core: pnpm leaves one core free, which on two cores is half of them.
  const env = {
    CI: '1',
    PNPM_MAX_WORKERS: String(availableParallelism()),
    npm_config_fetch_retry_mintimeout: '2000',
    npm_config_fetch_retry_maxtimeout: '5000',
  };
  const wanted = ['--yes', '--', `pnpm@${pnpmVersion}`, ...args];
  if (/npm-cli\.c?js$/.test(npm)) return runCommand(process.execPath, [npm, 'exec', ...wanted], { env });
  return runCommand('npx', wanted, { env });
}

const offline =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_PNPM_META_FETCH_FAIL|ERR_PNPM_FETCH|ERR_SOCKET_TIMEOUT|CERT_|certificate/;

function explain(end: CommandEnd): SetupError {
  if (/ENOSPC|no space left/i.test(end.output)) return diskError('The disk filled up while packages were installed.');
  if (offline.test(end.output)) {
    const detail =
      /request to \S+ failed.*|(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH|CERT_\w+|\w*CERT\w*).*/.exec(
        end.output,
      )?.[0];
    return new SetupError(
      `The packages could not be installed: the package registry does not answer (${detail ?? 'no reason given'}).`,
      'Check the network, the proxy (HTTPS_PROXY) and the registry setting (npm config get registry), then run the command again; it goes on where it stopped.',
    );
  }
  console.error(lastLines(end.output));
  return new SetupError(
    `The packages could not be installed (code ${end.code}); the reason is above.`,
    'Mend that and run the command again.',
  );
}

function checkDisk(): void {
  const { bavail, bsize } = statfsSync(root);
  const free = bavail * bsize;
  if (free < neededBytes)
    throw diskError(`A first start needs 2.5 GB of disk, ${(free / 1e9).toFixed(1)} GB are free under ${root}.`);
}

function diskError(message: string): SetupError {
  return new SetupError(message, 'Free some space, or move the checkout to a larger disk, and run the command again.');
}
