import type { Isolation, Mode, PolicyPort } from '@oneslot/core';

/** Tools whose level one input may lower; nothing else ever is. Names of tools that are yet to come stand here already, and only built-in tools may bear them. */
const loweringList: ReadonlySet<string> = new Set([
  'run_command',
  'run_code',
  'run_tests',
  'run_checks',
  'browser_act',
  'analyze_output',
  'command_input',
  'git_sync',
  'query_database',
  'convert_document',
  'schedule',
]);

/** Where a command cannot reach the host, judged ones may run unasked; a bare namespace or none is no such place. */
const contained: ReadonlySet<Isolation> = new Set(['container', 'vm', 'simulated']);

/** What decides over the calls of one session, as it stands now. Rules of the organization do not exist yet, so none matches. */
export function snapshotPolicy(session: { mode: Mode; isolation: Isolation }): PolicyPort {
  return {
    mode: session.mode,
    isolation: session.isolation,
    autoInSandbox: contained.has(session.isolation),
    loweringList,
    budgetStop: null,
    evaluate: () => ({ effect: 'none', ruleIds: [], reason: '' }),
    hostVerdict: () => 'ask',
  };
}
