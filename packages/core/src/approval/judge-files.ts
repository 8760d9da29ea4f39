import type { Args } from './command-args.ts';
import { type Finding, found, readOnly, worst } from './command-class.ts';
import { reader } from './command-options.ts';
import type { RuleContext } from './command-rule.ts';
import { diskDevice, rootPaths, systemPath } from './program-classes.ts';
import { laterWord, maySplit, type Word } from './read-words.ts';

export function judgeFind(args: Args, { judgeWords }: RuleContext): Finding {
  const findings: Finding[] = [];
  for (const [index, word] of args.words.entries()) {
    const text = word.text ?? '';
    const isValue =
      /^-(?:i?name|i?path|i?regex|i?wholename|type|newer\w*|size|[amc]time|[amc]min|user|group|perm|maxdepth|mindepth)$/.test(
        args.words[index - 1]?.text ?? '',
      );
    if (word.text === null ? !isValue || maySplit(word) : word.glob && mayBecomeAction(word.source))
      findings.push(found('executes', 'Which options find gets is known only when it runs.'));
    if (/^-(?:exec|execdir|ok|okdir)$/.test(text))
      findings.push(judgeWords(execCommand(args.words.slice(index + 1)), { kind: 'none' }));
    if (text === '-delete') findings.push(found('destructive', 'find deletes what it finds.'));
    if (/^-(?:fprint0?|fprintf|fls)$/.test(text)) findings.push(found('writes', 'find writes a list.'));
  }
  return worst(findings);
}

const actions = ['-delete', '-exec', '-execdir', '-ok', '-okdir', '-fprint', '-fprint0', '-fprintf', '-fls'];

/** A file may bear the name of an option; a pattern brings it in where its beginning and its end allow. */
function mayBecomeAction(pattern: string): boolean {
  const ending = /[^*?\]]*$/.exec(pattern)?.[0] ?? '';
  return /^[-*?[]/.test(pattern) && actions.some((action) => action.endsWith(ending));
}

function execCommand(words: readonly Word[]): Word[] {
  const end = words.findIndex((word) => word.text === ';' || word.text === '+');
  return words.slice(0, end === -1 ? words.length : end).map((word) => (word.text?.includes('{}') ? laterWord : word));
}

export function judgeFd(args: Args, context: RuleContext): Finding {
  const at = args.words.findIndex((word) => /^(?:-x|-X|--exec|--exec-batch)$/.test(word.text ?? ''));
  if (at !== -1) return context.judgeWords([...args.words.slice(at + 1), laterWord], { kind: 'none' });
  return reader({ executes: ['x', 'X', 'exec', 'exec-batch'] })(args, context);
}

export function judgeTar(args: Args): Finding {
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
  if (args.operands.some((operand) => /^[\w.@-]+:/.test(operand)) && !args.has('force-local'))
    return found('network', 'tar asks another machine for this archive.');
  const changes =
    does('x', 'extract') ||
    does('c', 'create') ||
    does('r', 'append') ||
    does('u', 'update') ||
    does('A', 'concatenate');
  const lists = does('t', 'list') && !changes && !args.has('get', 'catenate', 'index-file', 'volno-file');
  return lists && !args.dynamic ? readOnly : found('writes', 'tar writes files.');
}

export function judgeDd(args: Args): Finding {
  const targets = args.texts.filter((text) => text.startsWith('of=')).map((text) => text.slice(3));
  const disk = targets.find((target) => diskDevice.test(target));
  if (disk !== undefined)
    return { ...found('destructive', `dd writes over ${disk}.`), refuse: `dd writes over the disk ${disk}.` };
  const file = targets.find((target) => target !== '/dev/null' && target !== '/dev/stdout');
  if (file !== undefined) return found('writes', `dd writes ${file}.`);
  return args.words.some((word) => word.text === null || word.glob)
    ? found('writes', 'dd may write a file.')
    : readOnly;
}

export function judgeCopy(args: Args, { program }: RuleContext): Finding {
  const [first, ...others] = args.operands;
  const last = others.at(-1);
  if (first === '/dev/null' && others.length > 0) return found('destructive', `${program} puts /dev/null over a file.`);
  if (program === 'mv' && last === '/dev/null') return found('destructive', 'mv loses the file in /dev/null.');
  const system = args.operands.slice(0, -1).find((path) => systemPath.test(path));
  if (program === 'mv' && system !== undefined) return found('destructive', `mv takes ${system} away.`);
  if (last !== undefined && diskDevice.test(last)) return found('destructive', `${program} writes over ${last}.`);
  return found('writes', `${program} writes files.`);
}

export function judgePermissions(args: Args, { program }: RuleContext): Finding {
  const root = args.operands.find((path) => rootPaths.test(path));
  if (root === undefined) return found('writes', `${program} changes who may do what with files.`);
  const finding = found('destructive', `${program} changes ${root} for everybody.`);
  return args.has('R', 'recursive') ? { ...finding, refuse: `${program} changes everything below ${root}.` } : finding;
}

export function judgeTruncate(args: Args): Finding {
  const size = args.value('s', 'size');
  return size !== null && /^=?0+$/.test(size)
    ? found('destructive', 'truncate empties the file.')
    : found('writes', 'truncate changes the length of a file.');
}

const rsyncValued = [
  'e',
  'f',
  'B',
  'T',
  'M',
  '@',
  'rsh',
  'filter',
  'exclude',
  'include',
  'temp-dir',
  'suffix',
  'backup-dir',
];

export function judgeRsync(args: Args): Finding {
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
  const lists =
    args.surely(['n', 'dry-run', 'list-only'], rsyncValued) && !args.has('log-file', 'write-batch', 'daemon');
  return lists && !args.dynamic ? readOnly : found('writes', 'rsync writes files.');
}

export function judgeArchive(args: Args, { program }: RuleContext): Finding {
  const verb = args.operands[0] ?? '';
  if (/^(?:l|t|i)$/.test(verb) && !args.dynamic) return readOnly;
  return verb === 'd'
    ? found('destructive', `${program} removes from the archive.`)
    : found('writes', `${program} writes files.`);
}
