import { type CommandResult, defineTool, type Shell, ToolError } from '@oneslot/core';
import { z } from 'zod';
import { describeOutput, formatDuration } from './lib/describe-process.ts';

// Names through which a loader, shell or interpreter would run other code than the command shows.
const loaderNames =
  /^(LD_.*|DYLD_.*|BASH_ENV|ENV|PATH|IFS|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|NODE_OPTIONS|PYTHON.*|PERL5.*|RUBY.*|JAVA_TOOL_OPTIONS|GIT_.*|EDITOR|VISUAL|PAGER)$/;

export default defineTool({
  name: 'run_command',
  family: 'shell',
  description:
    'Runs a bash command in the sandbox. Not for reading, searching or editing files: read_file, grep_files and edit_file ' +
    'do that. Returns "exit N · seconds · folder", stdout, then stderr; long output is cut in the middle and stored. The ' +
    'folder is kept for the next call. A command that exceeds timeout_ms goes on in the background; see command_poll.',
  capabilities: ['executes_code', 'sandboxable'],
  load: 'resident',
  // The command's own limit moves it to the background; this one only catches a sandbox that no longer answers.
  timeoutMs: 630_000,
  input: z.strictObject({
    command: z.string().min(1).max(16_384).describe('Bash command line'),
    description: z.string().min(1).max(100).optional().describe('What it does, for people'),
    cwd: z.string().min(1).max(4096).optional().describe('Folder to start in; default: where the last command ended'),
    timeout_ms: z
      .int()
      .min(1000)
      .max(600_000)
      .default(120_000)
      .describe('Milliseconds before it moves to the background'),
    background: z.boolean().default(false).describe('Start it and return at once'),
    tty: z.boolean().default(false).describe('Give it a terminal'),
    stdin: z.string().max(262_144).optional().describe('Text for its standard input'),
    env: z
      .record(z.string().regex(/^[A-Z_][A-Z0-9_]*$/), z.string().max(32_768))
      .optional()
      .describe('At most 20 extra variables'),
  }),
  validate: ({ env }) => {
    const names = Object.keys(env ?? {});
    const refused = names.find((name) => loaderNames.test(name));
    if (refused)
      throw new ToolError('invalid_input', `env must not set ${refused}: it changes which code runs.`, {
        next: 'Set it inside the command, where it is judged.',
      });
    if (names.length > 20)
      throw new ToolError('invalid_input', `env has ${names.length} names; 20 is the most.`, {
        next: 'Put them into a file and source it.',
      });
  },
  approvalFor: ({ command, cwd }, judge) => {
    const { class: grade, refuse } = judge(command);
    const paths = cwd === undefined ? [] : [cwd];
    if (refuse !== null) return { command, paths, refuse };
    return grade === 'read-only' ? { command, paths, level: 'auto', readOnly: true } : { command, paths };
  },
  title: ({ command, description }) => description ?? command.split('\n')[0]?.slice(0, 100) ?? command,
  execute: async (input, { shell, signal, progress }) => {
    const decoder = new TextDecoder();
    const result = await shell.run(
      {
        command: input.command,
        timeoutMs: input.timeout_ms,
        background: input.background,
        tty: input.tty,
        ...(input.cwd === undefined ? {} : { cwd: input.cwd }),
        ...(input.stdin === undefined ? {} : { stdin: input.stdin }),
        ...(input.env === undefined ? {} : { env: input.env }),
      },
      signal,
      (chunk) => progress(decoder.decode(chunk, { stream: true })),
    );
    return result.state === 'running' ? reportRunning(shell, result, input.background, signal) : reportExit(result);
  },
});

function dataOf(result: CommandResult) {
  return {
    exit_code: result.exitCode,
    signal: result.signal,
    process_id: result.processId,
    duration_ms: result.durationMs,
    stdout_bytes: result.stdout.bytes,
    stderr_bytes: result.stderr.bytes,
    listening_ports: result.listeningPorts,
    cwd: result.cwd,
  };
}

function reportExit(result: CommandResult) {
  const how = result.exitCode === null ? `killed by ${result.signal ?? 'a signal'}` : `exit ${result.exitCode}`;
  const dropped = result.droppedBytes > 0 ? ` · ${result.droppedBytes} bytes of output dropped` : '';
  return {
    content: `${how} · ${formatDuration(result.durationMs)} · ${result.cwd}${dropped}`,
    ok: result.exitCode === 0,
    streams: [result.stdout, result.stderr],
    data: { ...dataOf(result), end_seen: true },
  };
}

async function reportRunning(shell: Shell, result: CommandResult, asked: boolean, signal: AbortSignal) {
  // What a background command says first tells whether it started well; a moved one has spoken already.
  const first = await shell.poll(
    { processId: result.processId, waitMs: asked ? 1000 : 0, until: 'exit', fromStart: false },
    signal,
  );
  const ports = first.listeningPorts.length > 0 ? ` · ports ${first.listeningPorts.join(', ')}` : '';
  const head = asked
    ? `started ${result.processId}${first.state === 'exited' ? ` · exit ${first.exitCode ?? 'by signal'}` : ''}${ports}`
    : `still running as ${result.processId}; command_poll {"process_id": "${result.processId}"} shows more${ports}`;
  const whole = first.state === 'exited' ? shell.whole(result.processId) : null;
  return {
    content: `${head}\n${describeOutput(first)}`,
    ok: first.state === 'running' || first.exitCode === 0,
    running: first.state === 'running',
    ...(whole === null ? {} : { whole }),
    data: {
      ...dataOf(result),
      end_seen: first.state === 'exited',
      status: first.state,
      exit_code: first.exitCode,
      listening_ports: first.listeningPorts,
    },
  };
}
