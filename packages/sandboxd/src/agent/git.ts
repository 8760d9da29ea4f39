import { execFile } from 'node:child_process';
import { AgentError } from '../agent-error.ts';
import type { OperationResult } from '../operations.ts';
import type { Root } from './confine.ts';

/** Subcommands that only read. */
export const readingCommands = new Set([
  'blame',
  'branch',
  'cat-file',
  'describe',
  'diff',
  'diff-tree',
  'for-each-ref',
  'log',
  'ls-files',
  'ls-tree',
  'merge-base',
  'name-rev',
  'rev-list',
  'rev-parse',
  'shortlog',
  'show',
  'show-ref',
  'status',
  'tag',
]);
/** Options that run a program, write a file or read outside, in any of these. */
const refusedOptions =
  /^(--exec|--upload-pack|--receive-pack|--ext-diff|--textconv|--output|--no-index|--open-files-in-pager|--contents|--git-dir|--work-tree|--filters|-O|--ignore-revs-file|-S$)/;
const listOnly: Record<string, RegExp> = {
  branch:
    /^(--list|-l|--show-current|-a|--all|-r|--remotes|-v|-vv|--verbose|--contains|--merged|--no-merged|--format=.*|--sort=.*|--points-at)$/,
  tag: /^(--list|-l|-n\d*|--contains|--merged|--no-merged|--format=.*|--sort=.*|--points-at)$/,
};
const outputLimitBytes = 16_777_216;

/** Settings of a repository that would run its own programs, switched off. Source: git-config(1) */
const safeSettings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.pager=cat',
  'core.sshCommand=false',
  'diff.external=',
  'core.attributesFile=/dev/null',
  'safe.directory=*',
  'protocol.allow=never',
  'gc.auto=0',
  'log.showSignature=false',
  'core.quotePath=false',
];

/** @throws AgentError invalid_input for anything but reading */
export function checkGitArguments(args: readonly string[]): void {
  const [command = '', ...rest] = args;
  if (!readingCommands.has(command))
    throw new AgentError('invalid_input', `git ${command.slice(0, 40)} is not among the reading commands.`, {
      next: 'Use run_command for git commands that change something.',
    });
  const end = rest.indexOf('--');
  const options = (end === -1 ? rest : rest.slice(0, end)).filter((word) => word.startsWith('-'));
  const refused = options.find((word) => refusedOptions.test(word));
  const only = listOnly[command];
  const changing =
    only && (rest.length === 0 ? undefined : rest.find((word) => word.startsWith('-') && !only.test(word)));
  if (refused ?? changing)
    throw new AgentError('invalid_input', `git ${command} ${refused ?? changing} is not a reading option.`);
  if (only && rest.length > 0 && !rest.some((word) => only.test(word)))
    throw new AgentError('invalid_input', `git ${command} with names would change something; use --list.`);
}

/** Runs git for reading, with everything of the repository that could run a program switched off. */
export function runGit(root: Root, args: readonly string[], signal: AbortSignal): Promise<OperationResult<'git.run'>> {
  checkGitArguments(args);
  const [command = '', ...rest] = args;
  const plainDiff = ['diff', 'diff-tree', 'log', 'show'].includes(command) ? ['--no-ext-diff', '--no-textconv'] : [];
  const words = [
    '--no-optional-locks',
    '--no-pager',
    ...safeSettings.flatMap((setting) => ['-c', setting]),
    command,
    ...plainDiff,
    ...rest,
  ];
  const env = {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: '/nonexistent',
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CEILING_DIRECTORIES: parentOf(root.path),
    GIT_LITERAL_PATHSPECS: '0',
  };
  return new Promise((resolve, reject) => {
    execFile(
      'git',
      words,
      { cwd: root.path, env, signal, maxBuffer: outputLimitBytes, killSignal: 'SIGKILL', encoding: 'utf8' },
      (error, stdout, stderr) => {
        if (signal.aborted) reject(signal.reason);
        else if (error?.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
          reject(
            new AgentError('too_large', `git ${command} answered more than ${outputLimitBytes} bytes.`, {
              next: 'Narrow it by path or count.',
            }),
          );
        else if (error && typeof error.code !== 'number')
          reject(new AgentError('unavailable', `git could not be run: ${error.message}`, { cause: error }));
        else
          resolve(
            spellRoot(root, command, { exitCode: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
          );
      },
    );
  });
}

/** Git names its folder by its real path, in complaints and when asked; what files hold stays as it is. */
function spellRoot(root: Root, command: string, answer: OperationResult<'git.run'>): OperationResult<'git.run'> {
  if (root.path === root.name) return answer;
  const spell = (text: string) => text.replaceAll(root.path, root.name);
  const { stdout, stderr } = answer;
  return { ...answer, stdout: command === 'rev-parse' ? spell(stdout) : stdout, stderr: spell(stderr) };
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}
