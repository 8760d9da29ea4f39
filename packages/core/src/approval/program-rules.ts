import { found, readOnly } from './command-class.ts';
import { reader, shows, writer } from './command-options.ts';
import type { Rule } from './command-rule.ts';
import { judgeAwk } from './judge-awk.ts';
import {
  judgeAlias,
  judgeDate,
  judgeEval,
  judgeHash,
  judgeHistory,
  judgeKill,
  judgePrintf,
  judgeSu,
  judgeTest,
  judgeTrap,
} from './judge-builtins.ts';
import {
  judgeArchive,
  judgeCopy,
  judgeDd,
  judgeFd,
  judgeFind,
  judgePermissions,
  judgeRsync,
  judgeTar,
  judgeTruncate,
} from './judge-files.ts';
import { judgeGit } from './judge-git.ts';
import { judgeCommandBuiltin, judgeEnv, judgeExec, judgeXargs } from './judge-launcher.ts';
import { judgeSed } from './judge-sed.ts';
import {
  judgeAt,
  judgeContainers,
  judgeCrontab,
  judgeIp,
  judgeNpm,
  judgeRedis,
  judgeRemote,
  judgeSession,
  judgeSsh,
  judgeSystemctl,
  judgeTerraform,
} from './judge-services.ts';

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
  openssl: (args) =>
    /^s_(?:client|server|time)$/.test(args.operands[0] ?? '')
      ? found('network', 'openssl connects.')
      : found('executes', 'openssl may load an engine.'),
  su: judgeSu,
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
  dmesg: reader({
    destructive: ['C', 'c', 'clear', 'read-clear'],
    executes: ['H', 'human'],
    writes: ['D', 'E', 'n', 'console-off', 'console-on', 'console-level'],
  }),
  top: (args) => (args.has('b') ? readOnly : found('executes', 'top takes commands.')),
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
