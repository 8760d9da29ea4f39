import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startAgentProcess } from './agent-process.ts';
import type { SandboxEngine } from './engine.ts';
import { FolderEngine, workspaceOf } from './folder-engine.ts';
import type { ImageContext } from './image-context.ts';

export type BubblewrapOptions = {
  dataDir: string;
  context: ImageContext;
  /** The Node that runs the agent; bound read-only. */
  nodePath: string;
};

const inside = { node: '/opt/node/bin/node', agent: '/opt/oneslot' };
const limits = ['--nproc=1024', '--nofile=8192', '--core=0'];

/** What the box sees of the host: programs and libraries, read-only, and nothing of anybody's home. */
function hostArgs(): string[] {
  const folders = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'].filter((folder) => existsSync(folder));
  // Never /etc/ssl whole: under root the box reads what root may, and private keys lie there.
  const readable = [
    '/etc/alternatives',
    '/etc/ld.so.cache',
    '/etc/ssl/certs',
    '/etc/ssl/openssl.cnf',
    '/etc/localtime',
  ];
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...folders.flatMap((folder) => ['--ro-bind', folder, folder]),
    ...readable.flatMap((path) => ['--ro-bind-try', path, path]),
  ];
}

/** Own namespaces for everything, a uid without rights, no way to make further user namespaces, dies with the runner. */
const wallArgs = [
  ...['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session'],
  ...['--uid', '10001', '--gid', '10001', '--hostname', 'sandbox', '--cap-drop', 'ALL'],
  ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', '/run'],
];

/** Null when a trial run works, else why not, in words for people. */
export function whyNoBubblewrap(limitMs = 5_000): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn('bwrap', [...wallArgs, ...hostArgs(), 'prlimit', ...limits, 'true'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: limitMs,
      killSignal: 'SIGKILL',
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
    });
    child.once('error', () => resolve('the program bwrap is not installed'));
    child.once('close', (code) => resolve(code === 0 ? null : `a trial run failed: ${said.trim() || `exit ${code}`}`));
  });
}

/** One bwrap around `sandboxd --stdio` per sandbox, with only its folder bound writable. */
export function createBubblewrapEngine({ dataDir, context, nodePath }: BubblewrapOptions): SandboxEngine {
  const agentFolder = join(dataDir, 'agents', context.tag.replace(/^.*:/, ''));
  const accounts = join(agentFolder, 'passwd');
  return new FolderEngine({
    name: 'bubblewrap',
    root: join(dataDir, 'sandboxes'),
    imageDigest: context.digest,
    capabilities: {
      isolation: 'namespace',
      pause: false,
      tty: true,
      limits: false,
      quota: false,
      survivesRunner: false,
    },
    prepare: () => layOutAgent(agentFolder, context),
    launch: (folder) =>
      startAgentProcess({
        program: 'bwrap',
        args: [
          ...wallArgs,
          ...hostArgs(),
          ...['--ro-bind', accounts, '/etc/passwd'],
          ...['--ro-bind', nodePath, inside.node, '--ro-bind', join(agentFolder, 'agent'), inside.agent],
          ...['--bind', workspaceOf(folder), '/workspace', '--chdir', '/workspace', '--remount-ro', '/', '--clearenv'],
          ...Object.entries(agentEnv).flatMap(([name, value]) => ['--setenv', name, value]),
          ...['prlimit', ...limits, inside.node, `${inside.agent}/sandboxd.mjs`, '--stdio', '--isolation', 'namespace'],
        ],
        env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      }),
  });
}

const agentEnv = {
  PATH: '/opt/node/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/tmp',
  LANG: 'C.UTF-8',
};

/** The same files the image would hold, once per digest; complete or absent, whatever dies meanwhile. */
export async function layOutAgent(folder: string, context: ImageContext): Promise<void> {
  if (await stat(folder).catch(() => null)) return;
  await mkdir(join(folder, '..'), { recursive: true });
  const draft = await mkdtemp(`${folder}.`);
  await context.writeTo(draft);
  await writeFile(join(draft, 'passwd'), 'root:x:0:0::/:/bin/sh\nagent:x:10001:10001::/workspace:/bin/bash\n');
  try {
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process of this installation was quicker; its copy has the same bytes.
    if (!(await stat(folder).catch(() => null))) throw error;
  }
}
