import { found } from './command-class.ts';
import type { Rule } from './command-rule.ts';
import { fileRules } from './file-rules.ts';
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
  judgePip,
  judgeRedis,
  judgeRemote,
  judgeScript,
  judgeSession,
  judgeSsh,
  judgeSystemctl,
  judgeTerraform,
  judgeTmux,
} from './judge-services.ts';
import { shellRules } from './shell-rules.ts';
import { systemRules } from './system-rules.ts';

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
  pip: judgePip,
  pip3: judgePip,
  tmux: judgeTmux,
  script: judgeScript,
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
  ...fileRules,
  ...shellRules,
  ...systemRules,
  zfs: judgeTerraform,
  zpool: judgeTerraform,
};
