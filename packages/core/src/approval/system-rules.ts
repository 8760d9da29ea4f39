import { found, readOnly } from './command-class.ts';
import { reader, shows } from './command-options.ts';
import type { Rule } from './command-rule.ts';

/** Programs that show the machine, its devices and services, or change them. */
export const systemRules: Readonly<Record<string, Rule>> = {
  dmesg: reader({
    destructive: ['C', 'c', 'clear', 'read-clear'],
    executes: ['H', 'human'],
    writes: ['D', 'E', 'n', 'console-off', 'console-on', 'console-level'],
  }),
  top: (args) => (args.has('b') ? readOnly : found('executes', 'top takes commands.')),
  ss: reader({ destructive: ['K', 'kill'], writes: ['D', 'diag'] }),
  netstat: reader({}),
  fuser: reader({ destructive: ['k', 'kill'] }),
  hostname: (args) =>
    args.operands.length === 0 && !args.has('F', 'b', 'file') ? readOnly : found('writes', 'hostname sets the name.'),
  ulimit: (args) =>
    args.operands.length === 0 && args.texts.every((text) => /^-[SH]*[A-Za-z]$/.test(text))
      ? readOnly
      : found('writes', 'ulimit changes limits.'),
  umask: (args) => (args.operands.length === 0 ? readOnly : found('writes', 'umask changes the shell.')),
  mount: shows('executes', ['l']),
  getent: (args) =>
    /^(?:hosts|ahosts\w*|netgroup)$/.test(args.operands[0] ?? '') || args.dynamic
      ? found('network', 'getent asks a name server.')
      : readOnly,
  lspci: reader({ network: ['q', 'Q'] }),
  logger: reader({ network: ['n', 'server', 'd', 'udp', 'T', 'tcp'], writes: [], mayWriteOperand: 0 }),
  sysctl: (args) =>
    args.has('w', 'write', 'p', 'f', 'load', 'system') ||
    args.dynamic ||
    args.operands.some((word) => word.includes('='))
      ? found('writes', 'sysctl sets values of the system.')
      : readOnly,
  umount: () => found('executes', 'umount needs privilege.'),
  ifconfig: (args) =>
    args.operands.length < 2 && !args.dynamic ? readOnly : found('writes', 'ifconfig changes the network.'),
  journalctl: (args) =>
    args.has('vacuum-size', 'vacuum-time', 'vacuum-files', 'rotate')
      ? found('destructive', 'journalctl drops logs.')
      : args.has('no-pager') &&
          !args.has(
            'cursor-file',
            'flush',
            'sync',
            'relinquish-var',
            'smart-relinquish-var',
            'setup-keys',
            'update-catalog',
          )
        ? readOnly
        : found('executes', 'journalctl may start a pager.'),
  init: (args) =>
    /^[06]$/.test(args.operands[0] ?? '')
      ? found('destructive', 'init ends the machine.')
      : found('executes', 'init changes the run level.'),
  cryptsetup: (args) =>
    /^(?:luksFormat|erase|luksErase|reencrypt)$/.test(args.operands[0] ?? '')
      ? found('destructive', 'cryptsetup erases a disk.')
      : found('executes', 'cryptsetup needs privilege.'),
};
