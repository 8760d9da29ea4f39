import type { Args } from './command-args.ts';
import { atLeast, type Finding, found, readOnly } from './command-class.ts';
import type { RuleContext } from './command-rule.ts';

export function judgeSystemctl(args: Args): Finding {
  const verb = args.operands[0] ?? '';
  if (/^(?:stop|kill|poweroff|reboot|halt|kexec|suspend|hibernate|emergency|rescue|isolate)$/.test(verb))
    return found('destructive', `systemctl ${verb} ends what runs.`);
  return found('executes', 'systemctl manages services.');
}

export function judgeContainers(args: Args, { program }: RuleContext): Finding {
  const verbs = args.operands.slice(0, 3);
  if (verbs.some((verb) => /^(?:rm|rmi|prune|kill|stop|down|remove|delete)$/.test(verb)))
    return found('destructive', `${program} removes or ends containers, images or data.`);
  const verb = verbs[0] === 'image' ? verbs[1] : verbs[0];
  if (/^(?:pull|push|search|login|logout)$/.test(verb ?? ''))
    return found('network', `${program} connects to a registry.`);
  return found('executes', `${program} works with containers.`);
}

/** Programs of services far away: what they remove is gone there. */
export function judgeRemote(args: Args, { program }: RuleContext): Finding {
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

export function judgeSsh(args: Args, { program, judgeText }: RuleContext): Finding {
  const helpers =
    /(?:ProxyCommand|LocalCommand|PermitLocalCommand|KnownHostsCommand|PKCS11Provider|SecurityKeyProvider|ProxyUseFdpass)/i;
  if (args.texts.some((text) => helpers.test(text)) || args.has('S', 'F', 'I', 'D'))
    return found('executes', `${program} starts another program with this option.`);
  if (args.dynamic) return found('executes', `Which options ${program} gets is known only when it runs.`);
  if (program !== 'ssh' || args.operands.length < 2) return found('network', `${program} connects to another machine.`);
  const remote = judgeText(args.operands.slice(1).join(' '));
  return atLeast('network', 'ssh connects to another machine.', remote.class === 'destructive' ? [remote] : []);
}

export function judgeSession(args: Args, { program, input }: RuleContext): Finding {
  const escapes = input.kind === 'text' ? /(?:^|\n)\s*!/.test(input.text) : false;
  return escapes || args.texts.some((text) => text.startsWith('!'))
    ? found('executes', `${program} runs a shell command.`)
    : found('network', `${program} connects to another machine.`);
}

export function judgeRedis(args: Args): Finding {
  const verb = (args.operands.find((operand) => /^[A-Za-z]+$/.test(operand)) ?? '').toUpperCase();
  const removes =
    args.texts.some((text) => /^(?:FLUSHALL|FLUSHDB|DEL|UNLINK|SHUTDOWN)$/i.test(text)) || verb === 'SHUTDOWN';
  return removes ? found('destructive', 'It drops data.') : found('network', 'redis-cli connects to a server.');
}

export function judgeNpm(args: Args, { program }: RuleContext): Finding {
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

export function judgePip(args: Args, { program }: RuleContext): Finding {
  return /^(?:index|search)$/.test(args.operands[0] ?? '')
    ? found('network', `${program} asks the registry.`)
    : found('executes', `${program} may run scripts of packages.`);
}

/** Terminals in a terminal: each word may be a command for the shell inside. */
export function judgeTmux(args: Args, { judgeText }: RuleContext): Finding {
  return atLeast(
    'executes',
    'It starts a shell.',
    args.operands.map((operand) => judgeText(operand)),
  );
}

export function judgeScript(args: Args, { judgeText }: RuleContext): Finding {
  const at = args.words.findIndex((word) => /^(?:-\w*c|--command)$/.test(word.text ?? ''));
  const text = args.words[at + 1]?.text ?? null;
  return atLeast('executes', 'script starts a shell.', at === -1 || text === null ? [] : [judgeText(text)]);
}

export function judgeTerraform(args: Args, { program }: RuleContext): Finding {
  const destroys =
    args.operands[0] === 'destroy' ||
    args.has('destroy') ||
    (args.operands[0] === 'state' && args.operands[1] === 'rm') ||
    args.operands[0] === 'down';
  return destroys
    ? found('destructive', `${program} destroys what it manages.`)
    : found('executes', `${program} runs providers.`);
}

export function judgeCrontab(args: Args): Finding {
  if (args.has('r')) return found('destructive', 'crontab -r drops every schedule.');
  return args.has('l') && args.operands.length === 0 ? readOnly : found('executes', 'It schedules commands.');
}

export function judgeAt(args: Args): Finding {
  if (args.surely(['l'], ['q', 'f', 't']) && args.operands.length === 0 && !args.has('f', 't')) return readOnly;
  return args.has('r', 'd')
    ? found('destructive', 'It drops a schedule.')
    : found('executes', 'It schedules commands.');
}

export function judgeIp(args: Args, { judgeWords }: RuleContext): Finding {
  const at = args.words.findIndex((word) => word.text === 'exec');
  if (at !== -1)
    return atLeast('executes', 'ip starts a program in another network space.', [judgeWords(args.words.slice(at + 2))]);
  const [object = '', verb = 'show', ...others] = args
    .operandsBeside(['f', 'n', 'l'])
    .filter((word) => !/^-\d$/.test(word));
  const isBatch = args.texts.some((text) => /^--?b(?:a(?:t(?:c(?:h)?)?)?)?$/.test(text));
  // Every word may be cut short, so what is not asking in so many letters may be anything.
  const isSetting = others.some((word) => /^(?:add|del\w*|set|change|replace|flush|exec|up|down)$/.test(word));
  const asks = /^(?:show|list|ls|lst|get|help)$/.test(verb) && !isSetting;
  if (!asks && /^(?:n|v)/.test(object) && verb.startsWith('e')) return found('executes', 'ip may start a program.');
  return asks && !args.dynamic && !isBatch ? readOnly : found('writes', 'ip changes the network.');
}
