import type { Args } from './command-args.ts';
import { atLeast, type Finding, found, readOnly, worst } from './command-class.ts';
import type { Rule, RuleContext } from './command-rule.ts';
import { judgeAwk } from './judge-awk.ts';
import { judgeGit } from './judge-git.ts';
import { judgeCommandBuiltin, judgeEnv, judgeExec, judgeXargs } from './judge-launcher.ts';
import { judgeSed } from './judge-sed.ts';
import { diskDevice, rootPaths, systemPath } from './program-classes.ts';
import { laterWord, type Word } from './read-words.ts';

type Options = readonly string[];

/** Reads unless an option says otherwise; an option that only run time knows may be any of them. */
function reader(rules: {
  writes?: Options;
  executes?: Options;
  network?: Options;
  destructive?: Options;
  mayWriteOperand?: number;
}): Rule {
  return (args, { program }) => {
    if (rules.destructive && args.has(...rules.destructive))
      return found('destructive', `${program} removes with this option.`);
    if (rules.executes && args.has(...rules.executes))
      return found('executes', `${program} starts another program with this option.`);
    if (args.dynamic) return found('executes', `Which options ${program} gets is known only when it runs.`);
    if (rules.writes && args.has(...rules.writes)) return found('writes', `${program} writes a file with this option.`);
    const operand = rules.mayWriteOperand === undefined ? undefined : args.operands[rules.mayWriteOperand];
    return operand === undefined ? readOnly : found('writes', `${program} writes ${operand}.`);
  };
}

/** Writes unless an option turns it into a reader. */
function writer(readsWith: Options = [], worse: { executes?: Options; destructive?: Options } = {}): Rule {
  return (args, { program }) => {
    if (worse.destructive && args.has(...worse.destructive))
      return found('destructive', `${program} removes with this option.`);
    if (worse.executes && args.has(...worse.executes))
      return found('executes', `${program} starts another program with this option.`);
    if (readsWith.length > 0 && args.has(...readsWith) && !args.dynamic) return readOnly;
    return found('writes', `${program} writes files.`);
  };
}

/** Shows without arguments, sets with them. */
const shows =
  (grade: 'writes' | 'executes', readsWith: Options = []): Rule =>
  (args, { program }) =>
    args.words.length === 0 || (readsWith.length > 0 && args.has(...readsWith))
      ? readOnly
      : found(grade, `${program} changes the system's state.`);

function judgeFind(args: Args, { judgeWords }: RuleContext): Finding {
  const findings: Finding[] = [];
  for (const [index, word] of args.words.entries()) {
    const text = word.text ?? '';
    if (word.text === null && !/^["']/.test(word.source))
      findings.push(found('executes', 'Which options find gets is known only when it runs.'));
    if (/^-(?:exec|execdir|ok|okdir)$/.test(text))
      findings.push(judgeWords(execCommand(args.words.slice(index + 1)), { kind: 'none' }));
    if (text === '-delete') findings.push(found('destructive', 'find deletes what it finds.'));
    if (/^-(?:fprint0?|fprintf|fls)$/.test(text)) findings.push(found('writes', 'find writes a list.'));
  }
  return worst(findings);
}

function execCommand(words: readonly Word[]): Word[] {
  const end = words.findIndex((word) => word.text === ';' || word.text === '+');
  return words.slice(0, end === -1 ? words.length : end).map((word) => (word.text?.includes('{}') ? laterWord : word));
}

function judgeFd(args: Args, { judgeWords }: RuleContext): Finding {
  const at = args.words.findIndex((word) => /^(?:-x|-X|--exec|--exec-batch)$/.test(word.text ?? ''));
  if (at !== -1) return judgeWords([...args.words.slice(at + 1), laterWord], { kind: 'none' });
  return reader({ executes: ['x', 'X', 'exec', 'exec-batch'] })(args, { program: 'fd' } as RuleContext);
}

function judgeTar(args: Args): Finding {
  const bundle = /^[A-Za-z]+$/.test(args.texts[0] ?? '') ? (args.texts[0] ?? '') : '';
  const does = (letter: string, long: string) => bundle.includes(letter) || args.has(letter, long);
  if (
    args.has(
      'to-command',
      'use-compress-program',
      'checkpoint-action',
      'info-script',
      'new-volume-script',
      'rsh-command',
      'rmt-command',
      'F',
    ) ||
    does('I', 'use-compress-program')
  ) {
    return found('executes', 'tar starts another program with this option.');
  }
  if (args.has('remove-files', 'delete', 'recursive-unlink', 'unlink-first'))
    return found('destructive', 'tar removes files with this option.');
  const lists = does('t', 'list') && !does('x', 'extract') && !does('c', 'create');
  return lists && !args.dynamic ? readOnly : found('writes', 'tar writes files.');
}

function judgeDd(args: Args): Finding {
  const target = args.texts.find((text) => text.startsWith('of='))?.slice(3);
  if (target === undefined) return args.dynamic ? found('writes', 'dd may write a file.') : readOnly;
  if (target === '/dev/null' || target === '/dev/stdout') return readOnly;
  if (diskDevice.test(target))
    return { ...found('destructive', `dd writes over ${target}.`), refuse: `dd writes over the disk ${target}.` };
  return found('writes', `dd writes ${target}.`);
}

function judgeCopy(args: Args, { program }: RuleContext): Finding {
  const [first, ...others] = args.operands;
  const last = others.at(-1);
  if (first === '/dev/null' && others.length > 0) return found('destructive', `${program} puts /dev/null over a file.`);
  if (program === 'mv' && last === '/dev/null') return found('destructive', 'mv loses the file in /dev/null.');
  const system = args.operands.slice(0, -1).find((path) => systemPath.test(path));
  if (program === 'mv' && system !== undefined) return found('destructive', `mv takes ${system} away.`);
  if (last !== undefined && diskDevice.test(last)) return found('destructive', `${program} writes over ${last}.`);
  return found('writes', `${program} writes files.`);
}

function judgePermissions(args: Args, { program }: RuleContext): Finding {
  const root = args.operands.find((path) => rootPaths.test(path));
  if (root === undefined) return found('writes', `${program} changes who may do what with files.`);
  const finding = found('destructive', `${program} changes ${root} for everybody.`);
  return args.has('R', 'recursive') ? { ...finding, refuse: `${program} changes everything below ${root}.` } : finding;
}

function judgeTruncate(args: Args): Finding {
  const size = args.value('s', 'size');
  return size !== null && /^=?0+$/.test(size)
    ? found('destructive', 'truncate empties the file.')
    : found('writes', 'truncate changes the length of a file.');
}

function judgeRsync(args: Args): Finding {
  const shell = args.value('e', 'rsh');
  if (args.has('rsync-path') || (shell !== null && shell !== 'ssh') || (shell === null && args.has('rsh')))
    return found('executes', 'rsync starts another program with this option.');
  if (
    args.has(
      'delete',
      'delete-before',
      'delete-during',
      'delete-after',
      'delete-excluded',
      'del',
      'remove-source-files',
      'remove-sent-files',
    )
  )
    return found('destructive', 'rsync deletes with this option.');
  if (args.operands.some((path) => /^(?:rsync:\/\/|[^/\s]+:)/.test(path)))
    return found('network', 'rsync connects to another machine.');
  return args.has('n', 'dry-run', 'list-only') && !args.dynamic ? readOnly : found('writes', 'rsync writes files.');
}

function judgeDate(args: Args): Finding {
  if (args.has('s', 'set')) return found('writes', 'date sets the clock.');
  const sets = args.operands.find((operand) => /^\d{8,}/.test(operand));
  return sets === undefined && !args.dynamic ? readOnly : found('writes', 'date may set the clock.');
}

function judgePrintf(args: Args): Finding {
  const [option, name] = args.words;
  if (option?.text === null && !option.source.startsWith('"%')) return readOnly;
  if (!option?.text?.startsWith('-v')) return readOnly;
  const target = option.text === '-v' ? (name?.text ?? '[') : option.text.slice(2);
  return target.includes('[')
    ? found('executes', `${target} is evaluated when it is set.`)
    : found('writes', `It sets ${target}.`);
}

function judgeTest(args: Args): Finding {
  const late = args.words.some(
    (word, index) => /^-[vR]$/.test(word.text ?? '') && /\[/.test(args.words[index + 1]?.source ?? '['),
  );
  return late ? found('executes', 'A subscript is evaluated in this test.') : readOnly;
}

function judgeTrap(args: Args, { judgeText }: RuleContext): Finding {
  const [action] = args.words;
  if (action === undefined || args.has('l', 'p')) return readOnly;
  if (action.text === '-' || action.text === '') return found('writes', 'It takes a trap away.');
  return atLeast('executes', 'A trap runs later.', action.text === null ? [] : [judgeText(action.text)]);
}

function judgeEval(args: Args, { judgeText }: RuleContext): Finding {
  const texts = args.words.map((word) => word.text);
  if (texts.includes(null)) return found('executes', 'What eval runs is known only when it runs.');
  return atLeast('executes', 'eval runs its text.', [judgeText(texts.join(' '))]);
}

function judgeAlias(args: Args, { judgeText }: RuleContext): Finding {
  if (args.words.every((word) => word.text !== null && !word.text.includes('='))) return readOnly;
  const values = args.texts
    .filter((text) => text.includes('='))
    .map((text) => judgeText(text.slice(text.indexOf('=') + 1)));
  return atLeast(
    'writes',
    'An alias changes the shell.',
    values.filter((value) => value.class === 'destructive'),
  );
}

function judgeKill(args: Args): Finding {
  if (args.has('l', 'L', 'list') || args.texts[0] === '-0') return readOnly;
  return found('destructive', 'kill ends processes.');
}

function judgeSystemctl(args: Args): Finding {
  const verb = args.operands[0] ?? '';
  if (/^(?:stop|kill|poweroff|reboot|halt|kexec|suspend|hibernate|emergency|rescue|isolate)$/.test(verb))
    return found('destructive', `systemctl ${verb} ends what runs.`);
  return found('executes', 'systemctl manages services.');
}

function judgeContainers(args: Args, { program }: RuleContext): Finding {
  const verbs = args.operands.slice(0, 3);
  if (verbs.some((verb) => /^(?:rm|rmi|prune|kill|stop|down|remove|delete)$/.test(verb)))
    return found('destructive', `${program} removes or ends containers, images or data.`);
  if (/^(?:pull|push|search|login|logout)$/.test(verbs[0] ?? ''))
    return found('network', `${program} connects to a registry.`);
  return found('executes', `${program} works with containers.`);
}

/** Programs of services far away: what they remove is gone there. */
function judgeRemote(args: Args, { program }: RuleContext): Finding {
  const removes =
    /^(?:rm|rb|purge|drain|uninstall|destroy|terminate|drop|empty|nuke|(?:delete|remove|terminate|destroy|purge|batch-delete)[\w-]*|[\w:-]+:(?:destroy|remove|delete))$/i;
  const request = args.value('X', 'request', 'method');
  if (
    args.operands.some((operand) => removes.test(operand)) ||
    request?.toUpperCase() === 'DELETE' ||
    args.has('delete')
  )
    return found('destructive', `${program} removes something at the other end.`);
  if (
    /^(?:exec|run|attach|debug|ssh|cp|proxy)$/.test(args.operands[0] ?? '') &&
    (program === 'kubectl' || program === 'oc')
  )
    return found('executes', `${program} runs a program elsewhere.`);
  return found('network', `${program} connects to a service.`);
}

function judgeSsh(args: Args, { program, judgeText }: RuleContext): Finding {
  const helpers =
    /(?:ProxyCommand|LocalCommand|PermitLocalCommand|KnownHostsCommand|PKCS11Provider|SecurityKeyProvider|ProxyUseFdpass)/i;
  if (args.texts.some((text) => helpers.test(text)) || args.has('S', 'F', 'I', 'D'))
    return found('executes', `${program} starts another program with this option.`);
  if (args.dynamic) return found('executes', `Which options ${program} gets is known only when it runs.`);
  if (program !== 'ssh' || args.operands.length < 2) return found('network', `${program} connects to another machine.`);
  const remote = judgeText(args.operands.slice(1).join(' '));
  return atLeast('network', 'ssh connects to another machine.', remote.class === 'destructive' ? [remote] : []);
}

function judgeSession(args: Args, { program, input }: RuleContext): Finding {
  const escapes = input.kind === 'text' ? /(?:^|\n)\s*!/.test(input.text) : false;
  return escapes || args.texts.some((text) => text.startsWith('!'))
    ? found('executes', `${program} runs a shell command.`)
    : found('network', `${program} connects to another machine.`);
}

function judgeRedis(args: Args): Finding {
  const verb = (args.operands.find((operand) => /^[A-Za-z]+$/.test(operand)) ?? '').toUpperCase();
  const removes =
    args.texts.some((text) => /^(?:FLUSHALL|FLUSHDB|DEL|UNLINK|SHUTDOWN)$/i.test(text)) || verb === 'SHUTDOWN';
  return removes ? found('destructive', 'It drops data.') : found('network', 'redis-cli connects to a server.');
}

function judgeNpm(args: Args, { program }: RuleContext): Finding {
  const [verb = '', object = ''] = args.operands;
  if (/^(?:unpublish|deprecate)$/.test(verb) || (verb === 'cache' && object === 'clean'))
    return found('destructive', `${program} ${verb} removes a release.`);
  if (
    /^(?:view|info|show|v|search|ping|whoami|publish|login|logout|adduser|owner|team|access|token|profile|star|outdated|audit|dist-tag|docs|repo|bugs)$/.test(
      verb,
    )
  )
    return found('network', `${program} ${verb} asks the registry.`);
  return found('executes', `${program} may run scripts of packages.`);
}

function judgeTerraform(args: Args, { program }: RuleContext): Finding {
  const destroys =
    args.operands[0] === 'destroy' ||
    args.has('destroy') ||
    (args.operands[0] === 'state' && args.operands[1] === 'rm') ||
    args.operands[0] === 'down';
  return destroys
    ? found('destructive', `${program} destroys what it manages.`)
    : found('executes', `${program} runs providers.`);
}

function judgeCrontab(args: Args): Finding {
  if (args.has('r')) return found('destructive', 'crontab -r drops every schedule.');
  return args.has('l') && args.operands.length === 0 ? readOnly : found('executes', 'It schedules commands.');
}

function judgeHistory(args: Args): Finding {
  if (args.has('c', 'd')) return found('destructive', 'It removes traces.');
  return args.has('a', 'w', 'r', 'n', 's', 'p') ? found('writes', 'It changes the history.') : readOnly;
}

function judgeHash(args: Args): Finding {
  if (args.has('p')) return found('executes', 'It makes a name run another program.');
  return args.words.length === 0 || args.has('t', 'l')
    ? readOnly
    : found('writes', 'It changes what the shell remembers.');
}

function judgeIp(args: Args): Finding {
  if (args.operands.includes('exec')) return found('executes', 'ip starts a program in another network space.');
  const changes = args.operands.some((word) =>
    /^(?:add|del|delete|set|change|replace|flush|append|attach|save|restore)$/.test(word),
  );
  return changes || args.dynamic || args.has('b', 'batch') ? found('writes', 'ip changes the network.') : readOnly;
}

function judgeArchive(args: Args, { program }: RuleContext): Finding {
  const verb = args.operands[0] ?? '';
  if (/^(?:l|t|i)$/.test(verb) && !args.dynamic) return readOnly;
  return verb === 'd'
    ? found('destructive', `${program} removes from the archive.`)
    : found('writes', `${program} writes files.`);
}

function judgeAt(args: Args): Finding {
  if (args.has('l')) return readOnly;
  return args.has('r', 'd')
    ? found('destructive', 'It drops a schedule.')
    : found('executes', 'It schedules commands.');
}

/** Every rule that looks at options; programs without one stand in the plain lists. */
export const programRules: Readonly<Record<string, Rule>> = {
  git: judgeGit,
  sed: judgeSed,
  gsed: judgeSed,
  awk: judgeAwk,
  gawk: judgeAwk,
  mawk: judgeAwk,
  nawk: judgeAwk,
  find: judgeFind,
  fd: judgeFd,
  fdfind: judgeFd,
  tar: judgeTar,
  bsdtar: judgeTar,
  dd: judgeDd,
  cp: judgeCopy,
  mv: judgeCopy,
  chmod: judgePermissions,
  chown: judgePermissions,
  truncate: judgeTruncate,
  rsync: judgeRsync,
  date: judgeDate,
  printf: judgePrintf,
  test: judgeTest,
  '[': judgeTest,
  '[[': judgeTest,
  env: judgeEnv,
  xargs: judgeXargs,
  command: judgeCommandBuiltin,
  exec: judgeExec,
  eval: judgeEval,
  trap: judgeTrap,
  alias: judgeAlias,
  kill: judgeKill,
  systemctl: judgeSystemctl,
  docker: judgeContainers,
  podman: judgeContainers,
  nerdctl: judgeContainers,
  'docker-compose': judgeContainers,
  ...Object.fromEntries(
    [
      'aws',
      'gcloud',
      'az',
      'gsutil',
      's3cmd',
      'rclone',
      'doctl',
      'heroku',
      'fly',
      'flyctl',
      'gh',
      'glab',
      'hub',
      'vercel',
      'netlify',
      'wrangler',
      'firebase',
      'hcloud',
      'b2',
      'kubectl',
      'oc',
      'helm',
      'curl',
      'http',
      'https',
      'xh',
    ].map((name) => [name, judgeRemote]),
  ),
  ssh: judgeSsh,
  scp: judgeSsh,
  sftp: judgeSsh,
  ftp: judgeSession,
  telnet: judgeSession,
  lftp: judgeSession,
  mail: judgeSession,
  mailx: judgeSession,
  'redis-cli': judgeRedis,
  npm: judgeNpm,
  pnpm: judgeNpm,
  yarn: judgeNpm,
  terraform: judgeTerraform,
  tofu: judgeTerraform,
  pulumi: judgeTerraform,
  cdk: judgeTerraform,
  vagrant: judgeTerraform,
  crontab: judgeCrontab,
  at: judgeAt,
  batch: () => found('executes', 'It schedules commands.'),
  history: judgeHistory,
  hash: judgeHash,
  ip: judgeIp,
  '7z': judgeArchive,
  '7za': judgeArchive,
  rar: judgeArchive,
  unrar: judgeArchive,
  wget: (args) =>
    args.has('use-askpass', 'e', 'execute')
      ? found('executes', 'wget takes commands by this option.')
      : found('network', 'wget connects to a server.'),
  nc: (args) =>
    args.has('e', 'c')
      ? found('executes', 'nc starts another program with this option.')
      : found('network', 'nc connects to another machine.'),
  ncat: (args) =>
    args.has('e', 'c', 'exec', 'sh-exec', 'lua-exec')
      ? found('executes', 'ncat starts another program with this option.')
      : found('network', 'ncat connects to another machine.'),
  socat: (args) =>
    args.operands.some((text) => /^(?:EXEC|SYSTEM|SHELL)/i.test(text))
      ? found('executes', 'socat starts another program.')
      : found('network', 'socat connects.'),
  nmap: (args) =>
    args.has('script', 'A', 'C')
      ? found('executes', 'nmap runs scripts.')
      : found('network', 'nmap connects to other machines.'),
  aria2c: (args) =>
    args.texts.some((text) => text.startsWith('--on-'))
      ? found('executes', 'aria2c starts another program.')
      : found('network', 'aria2c connects.'),
  'yt-dlp': (args) =>
    args.has('exec', 'exec-before-download', 'use-postprocessor', 'external-downloader', 'downloader')
      ? found('executes', 'It starts another program.')
      : found('network', 'It connects.'),
  sort: reader({ writes: ['o', 'output'], executes: ['compress-program'] }),
  shuf: reader({ writes: ['o', 'output'] }),
  uniq: reader({ mayWriteOperand: 1 }),
  xxd: reader({ mayWriteOperand: 1 }),
  tree: reader({ writes: ['o', 'R'] }),
  diff: reader({ writes: ['output'] }),
  diff3: reader({ executes: ['diff-program'] }),
  sdiff: reader({ writes: ['o', 'output'], executes: ['diff-program'] }),
  rg: reader({ executes: ['pre', 'hostname-bin', 'z', 'search-zip'] }),
  ag: reader({ executes: ['pager', 'z', 'search-zip'] }),
  file: reader({ writes: ['C', 'compile'], executes: ['z', 'Z', 'uncompress'] }),
  nm: reader({ executes: ['plugin'] }),
  size: reader({ executes: ['plugin'] }),
  objdump: reader({ executes: ['plugin'] }),
  iconv: reader({ writes: ['o', 'output'] }),
  yq: reader({ writes: ['i', 'inplace', 'in-place', 's', 'split-exp'] }),
  xmllint: reader({ writes: ['o', 'output'], executes: ['shell', 'load-trace'], network: ['noent'] }),
  dmesg: reader({
    destructive: ['C', 'c', 'clear', 'read-clear'],
    writes: ['D', 'E', 'n', 'console-off', 'console-on', 'console-level'],
  }),
  top: reader({}),
  ss: reader({ destructive: ['K', 'kill'] }),
  netstat: reader({}),
  fuser: reader({ destructive: ['k', 'kill'] }),
  hostname: (args) =>
    args.operands.length === 0 && !args.has('F', 'b', 'file') ? readOnly : found('writes', 'hostname sets the name.'),
  ulimit: (args) => (args.operands.length === 0 ? readOnly : found('writes', 'ulimit changes limits.')),
  umask: (args) => (args.operands.length === 0 ? readOnly : found('writes', 'umask changes the shell.')),
  mount: shows('executes', ['l']),
  umount: () => found('executes', 'umount needs privilege.'),
  ifconfig: (args) =>
    args.operands.length < 2 && !args.dynamic ? readOnly : found('writes', 'ifconfig changes the network.'),
  set: shows('writes'),
  shopt: shows('writes', ['p']),
  bind: (args) =>
    args.has('x', 'f', 'u', 'r', 'm') || args.operands.length > 0
      ? found('executes', 'bind makes keys run commands.')
      : readOnly,
  complete: (args) =>
    args.words.length === 0 || args.has('p') ? readOnly : found('executes', 'complete runs code later.'),
  enable: (args) =>
    args.has('f')
      ? found('executes', 'enable loads a library into the shell.')
      : found('writes', 'enable changes the shell.'),
  fc: (args) => (args.has('l') ? readOnly : found('executes', 'fc runs commands again.')),
  let: (args) =>
    args.words.some((word) => /\[/.test(word.source))
      ? found('executes', 'A subscript is evaluated.')
      : found('writes', 'let sets a variable.'),
  unset: (args) =>
    args.words.some((word) => /\[/.test(word.source))
      ? found('executes', 'A subscript is evaluated.')
      : found('writes', 'unset changes the shell.'),
  read: (args) =>
    args.words.some((word) => /\[/.test(word.source))
      ? found('executes', 'A subscript is evaluated.')
      : found('writes', 'read sets variables.'),
  unzip: writer(['l', 't', 'Z', 'p', 'v', 'z']),
  zip: writer(['sf', 'show-files'], { executes: ['TT', 'unzip-command'], destructive: ['m', 'move', 'd', 'delete'] }),
  gzip: writer(['c', 'stdout', 'l', 'list', 't', 'test']),
  bzip2: writer(['c', 'stdout', 't', 'test']),
  xz: writer(['c', 'stdout', 'l', 'list', 't', 'test']),
  lzma: writer(['c', 'stdout']),
  zstd: writer(['c', 'stdout', 'l', 'list', 't', 'test'], { destructive: ['rm'] }),
  split: writer([], { executes: ['filter'] }),
  journalctl: (args) =>
    args.has('vacuum-size', 'vacuum-time', 'vacuum-files', 'rotate')
      ? found('destructive', 'journalctl drops logs.')
      : found('executes', 'journalctl may start a pager.'),
  init: (args) =>
    /^[06]$/.test(args.operands[0] ?? '')
      ? found('destructive', 'init ends the machine.')
      : found('executes', 'init changes the run level.'),
  cryptsetup: (args) =>
    /^(?:luksFormat|erase|luksErase|reencrypt)$/.test(args.operands[0] ?? '')
      ? found('destructive', 'cryptsetup erases a disk.')
      : found('executes', 'cryptsetup needs privilege.'),
  zfs: judgeTerraform,
  zpool: judgeTerraform,
};
