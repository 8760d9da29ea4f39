import { type Args, readArgs } from './command-args.ts';
import { atLeast, type Finding, found } from './command-class.ts';
import type { RuleContext } from './command-rule.ts';
import { plainWord } from './read-words.ts';

const globalValued: ReadonlySet<string> = new Set(['-C', '--git-dir', '--work-tree', '--namespace', '--super-prefix']);
/** Settings that name a program git starts. */
const helperSetting =
  /(?:pager|editor|fsmonitor|hookspath|sshcommand|askpass|textconv|external|\.cmd|filter\.|helper|program|alias\.|gitproxy|uploadpack|receivepack|core\.worktree|credential)/i;

const removes = 'git drops work, refs or history.';

/** What a sub-command does of its own; hooks and configuration make the ones that only read run code. */
export function judgeGit(args: Args, context: RuleContext): Finding {
  let at = 0;
  for (let text = args.words[at]?.text; typeof text === 'string' && text.startsWith('-'); text = args.words[at]?.text) {
    if (/^-c$|^--config-env|^--exec-path=|^-c\w/.test(text))
      return atLeast(
        'executes',
        'git is given settings that can name programs.',
        [ofVerb(args.words[at + 2]?.text ?? '', readArgs(args.words.slice(at + 3)), context)].filter(
          (one) => one.class === 'destructive',
        ),
      );
    at += globalValued.has(text) ? 2 : 1;
  }
  const verb = args.words[at];
  if (verb === undefined) return found('executes', 'git may start a pager.');
  if (verb.text === null) return found('executes', 'Which git command this is is known only when it runs.');
  return ofVerb(verb.text, readArgs(args.words.slice(at + 1)), context);
}

function ofVerb(verb: string, args: Args, context: RuleContext): Finding {
  const rule = Object.hasOwn(rules, verb) ? rules[verb] : undefined;
  if (rule) return rule(args, context);
  if (writers.has(verb)) return found('writes', `git ${verb} changes the repository.`);
  if (connectors.has(verb)) return remote(args);
  if (removers.has(verb)) return found('destructive', removes);
  return found('executes', `git ${verb} runs what the repository's configuration names.`);
}

const writers: ReadonlySet<string> = new Set([
  'add',
  'am',
  'apply',
  'bundle',
  'cherry-pick',
  'commit',
  'format-patch',
  'gc',
  'hash-object',
  'init',
  'merge',
  'mv',
  'notes',
  'pack-refs',
  'read-tree',
  'repack',
  'replace',
  'rerere',
  'revert',
  'sparse-checkout',
  'update-index',
  'write-tree',
  'commit-tree',
  'checkout-index',
  'commit-graph',
  'maintenance',
  'mktree',
  'mktag',
  'unpack-objects',
  'merge-file',
  'symbolic-ref',
  'index-pack',
  'multi-pack-index',
  'stage',
]);
const connectors: ReadonlySet<string> = new Set([
  'clone',
  'fetch',
  'pull',
  'ls-remote',
  'send-email',
  'daemon',
  'fetch-pack',
  'send-pack',
  'svn',
  'p4',
  'imap-send',
  'request-pull',
  'lfs',
  'http-fetch',
  'archimport',
  'cvsimport',
]);
const removers: ReadonlySet<string> = new Set(['filter-branch', 'filter-repo', 'prune', 'prune-packed']);

function remote(args: Args): Finding {
  if (
    args.operands.some((operand) => /^(?:ext|fd)::/.test(operand)) ||
    args.has('upload-pack', 'u', 'exec', 'c', 'config', 'template', 'receive-pack')
  ) {
    return found('executes', 'git starts a program to connect.');
  }
  return found('network', 'git connects to a remote.');
}

function choose(destructive: boolean, otherwise: Finding): Finding {
  return destructive ? found('destructive', removes) : otherwise;
}

const writes = (verb: string) => found('writes', `git ${verb} changes the repository.`);
const reads = (verb: string) => found('executes', `git ${verb} runs what the repository's configuration names.`);
const printsTo = (verb: string) => (args: Args) =>
  args.has('output', 'o') && !args.has('ext-diff', 'textconv', 'open-files-in-pager', 'O')
    ? found('writes', `git ${verb} writes a file.`)
    : reads(verb);

const rules: Readonly<Record<string, (args: Args, context: RuleContext) => Finding>> = {
  push: (args) => {
    const forced =
      args.has('f', 'force', 'force-with-lease', 'd', 'delete', 'mirror', 'prune') ||
      args.operands.some((ref) => /^[+:]./.test(ref));
    return choose(
      forced,
      args.has('receive-pack', 'exec')
        ? found('executes', 'git starts a program to connect.')
        : found('network', 'git push changes a remote.'),
    );
  },
  reset: (args) => choose(args.has('hard', 'merge', 'keep'), writes('reset')),
  checkout: (args) => {
    const paths =
      args.words.some((word) => word.text === '--') ||
      args.operands.some((operand) => /^\.{0,2}\/|^\.$|\*|\.\w{1,5}$/.test(operand));
    return choose(
      args.has('f', 'force', 'ours', 'theirs', 'B', 'p', 'patch') || (paths && !args.has('b', 'orphan')),
      writes('checkout'),
    );
  },
  switch: (args) => choose(args.has('f', 'force', 'discard-changes', 'C', 'force-create'), writes('switch')),
  restore: (args) => choose(!args.has('S', 'staged') || args.has('W', 'worktree'), writes('restore')),
  clean: (args) => choose(!args.has('n', 'dry-run'), reads('clean')),
  rm: (args) => choose(!args.has('cached', 'n', 'dry-run'), writes('rm')),
  branch: (args) => {
    if (args.has('d', 'D', 'delete')) return found('destructive', removes);
    const changes = args.operands.length > 0 && !args.has('list', 'l', 'contains', 'merged', 'no-merged', 'points-at');
    return changes || args.has('m', 'M', 'c', 'C', 'f', 'u', 'unset-upstream', 'edit-description')
      ? writes('branch')
      : reads('branch');
  },
  tag: (args) => {
    if (args.has('d', 'delete')) return found('destructive', removes);
    return args.operands.length > 0 && !args.has('l', 'list', 'n', 'contains', 'v', 'verify', 'points-at')
      ? writes('tag')
      : reads('tag');
  },
  stash: (args) => {
    const [verb = 'push'] = args.operands;
    if (verb === 'drop' || verb === 'clear') return found('destructive', removes);
    return verb === 'list' || verb === 'show' ? reads('stash') : writes('stash');
  },
  reflog: (args) => choose(args.operands[0] === 'expire' || args.operands[0] === 'delete', reads('reflog')),
  'update-ref': (args) => choose(args.has('d', 'delete', 'stdin'), writes('update-ref')),
  worktree: (args) =>
    choose(args.operands[0] === 'remove', args.operands[0] === 'list' ? reads('worktree') : writes('worktree')),
  remote: (args) => {
    const [verb = ''] = args.operands;
    if (verb === 'update' || verb === 'show' || verb === 'prune') return found('network', 'git asks a remote.');
    if (verb === 'remove' || verb === 'rm') return found('destructive', removes);
    return verb === '' || verb === 'get-url' ? reads('remote') : writes('remote');
  },
  gc: (args) => choose((args.value('prune') ?? '') === 'now' || (args.value('prune') ?? '') === 'all', writes('gc')),
  rebase: (args, { judgeText }) => {
    const text = args.value('x', 'exec');
    if (text !== null || args.has('x', 'exec'))
      return atLeast('executes', 'git rebase runs a command at each step.', text === null ? [] : [judgeText(text)]);
    return args.has('i', 'interactive', 'edit-todo')
      ? found('executes', 'git rebase starts an editor.')
      : writes('rebase');
  },
  config: (args) => {
    const [name = ''] = args.operands;
    const sets = args.operands.length > 1 && !args.has('get', 'get-all', 'get-regexp', 'get-urlmatch', 'l', 'list');
    if (sets && args.operands.some((operand) => helperSetting.test(operand)))
      return found('executes', `The setting ${name} names a program.`);
    if (args.has('e', 'edit')) return found('executes', 'git config starts an editor.');
    return sets || args.has('unset', 'unset-all', 'add', 'replace-all', 'rename-section', 'remove-section')
      ? writes('config')
      : reads('config');
  },
  submodule: (args, { judgeText }) => {
    const [verb = ''] = args.operands;
    if (verb === 'foreach')
      return atLeast('executes', 'git submodule foreach runs a command.', [
        judgeText(args.operands.slice(1).join(' ')),
      ]);
    if (verb === 'deinit') return found('destructive', removes);
    return verb === 'add' || verb === 'update'
      ? found('network', 'git fetches submodules.')
      : verb === '' || verb === 'status' || verb === 'summary'
        ? reads('submodule')
        : writes('submodule');
  },
  bisect: (args, { judgeText }) =>
    args.operands[0] === 'run'
      ? atLeast('executes', 'git bisect run runs a command.', [judgeText(args.operands.slice(1).join(' '))])
      : writes('bisect'),
  archive: (args) =>
    args.has('remote', 'exec')
      ? remote(/^(?:ext|fd)::/.test(args.value('remote') ?? '') ? readArgs([plainWord('--exec')]) : args)
      : args.has('o', 'output')
        ? writes('archive')
        : reads('archive'),
  diff: printsTo('diff'),
  log: printsTo('log'),
  show: printsTo('show'),
  'format-patch': (args) => (args.has('stdout') ? reads('format-patch') : writes('format-patch')),
  lfs: (args) => choose(args.operands[0] === 'prune', found('network', 'git lfs connects to a remote.')),
};
