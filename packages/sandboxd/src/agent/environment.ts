import { AgentError } from '../agent-error.ts';
import { cookieName } from './proc.ts';

/** What a command inherits from the agent; everything else of the agent's own environment stays with it. */
const inherited = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMPDIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'GIT_SSL_CAINFO',
];

/** Variables that load code or move the ground under a command; they are set by nobody but the agent. */
const refusedNames = new Set([
  'PATH',
  'HOME',
  'TMPDIR',
  'SHELL',
  'IFS',
  'ENV',
  'BASH_ENV',
  'PROMPT_COMMAND',
  'PS4',
  'SHELLOPTS',
  'BASHOPTS',
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_EXTRA_CA_CERTS',
  'PYTHONSTARTUP',
  'PYTHONPATH',
  'PYTHONHOME',
  'PERL5OPT',
  'PERL5LIB',
  'RUBYOPT',
  'RUBYLIB',
  'JAVA_TOOL_OPTIONS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
]);
const refusedPrefixes = /^(LD_|DYLD_|BASH_FUNC_|ONESLOT_)/;
const allowedGit = /^GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)$/;

/** @throws AgentError invalid_input naming the variable that may not be set */
export function checkEnvironment(env: Record<string, string>): void {
  for (const [name, value] of Object.entries(env)) {
    const upper = name.toUpperCase();
    const refused =
      refusedNames.has(upper) || refusedPrefixes.test(upper) || (upper.startsWith('GIT_') && !allowedGit.test(upper));
    if (refused)
      throw new AgentError('invalid_input', `The variable ${name} cannot be set for a command.`, {
        next: 'Leave it out of env.',
      });
    if (value.includes('\0')) throw new AgentError('invalid_input', `The value of ${name} holds a NUL byte.`);
  }
}

export function commandEnvironment(
  own: NodeJS.ProcessEnv,
  extra: Record<string, string>,
  cookie: string,
): Record<string, string> {
  const env: Record<string, string> = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
  };
  for (const name of inherited) {
    const value = own[name];
    if (value !== undefined) env[name] = value;
  }
  return { ...env, ...extra, [cookieName]: cookie };
}
