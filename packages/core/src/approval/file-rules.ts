import { reader, writer } from './command-options.ts';
import type { Rule } from './command-rule.ts';

/** Programs that read files or pack them, by the options that make them do more, or less. */
export const fileRules: Readonly<Record<string, Rule>> = {
  sort: reader({ writes: ['o', 'output'], executes: ['compress-program'] }),
  shuf: reader({ writes: ['o', 'output'] }),
  uniq: reader({ mayWriteOperand: 1, valued: ['f', 's', 'w', 'skip-fields', 'skip-chars', 'check-chars'] }),
  xxd: reader({ mayWriteOperand: 1, valued: ['c', 'g', 'l', 'o', 's', 'n'] }),
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
  yq: reader({
    writes: ['i', 'inplace', 'in-place', 's', 'split-exp'],
    executes: ['security-enable-system-operator'],
  }),
  unzip: writer(['l', 't', 'Z', 'p', 'v', 'z', 'c'], { valued: ['d', 'P', 'x'] }),
  zip: writer(['sf', 'show-files'], {
    executes: ['TT', 'unzip-command'],
    destructive: ['m', 'move', 'd', 'delete'],
    valued: ['b', 't', 'n', 'O', 'P', 'tt'],
  }),
  gzip: writer(['c', 'stdout', 'l', 'list', 't', 'test'], { valued: ['S', 'suffix', 'b', 'bits'] }),
  bzip2: writer(['c', 'stdout', 't', 'test']),
  xz: writer(['c', 'stdout', 'l', 'list', 't', 'test'], {
    valued: ['S', 'F', 'C', 'T', 'M', 'suffix', 'format', 'check', 'threads', 'memlimit'],
  }),
  lzma: writer(['c', 'stdout'], {
    valued: ['S', 'F', 'C', 'T', 'M', 'suffix', 'format', 'check', 'threads', 'memlimit'],
  }),
  zstd: writer(['c', 'stdout', 'l', 'list', 't', 'test'], {
    destructive: ['rm'],
    writes: ['o', 'output-dir-flat', 'output-dir-mirror', 'train'],
    valued: ['o', 'D', 'M', 'T', 'B'],
  }),
  split: writer([], { executes: ['filter'] }),
};
