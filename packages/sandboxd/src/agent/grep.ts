import { spawn } from 'node:child_process';
import { posix } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod/mini';
import { AgentError } from '../agent-error.ts';
import type { GrepRequest, GrepResult } from '../operations.ts';
import { type Root, resolveReal, toRelative } from './confine.ts';
import { GrepCollector, matchLimit, sizeLimitBytes } from './grep-collector.ts';

const text = z.object({ text: z.exactOptional(z.string()), bytes: z.exactOptional(z.string()) });
const eventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('begin'), data: z.object({ path: text }) }),
  z.object({
    type: z.enum(['match', 'context']),
    data: z.object({
      path: text,
      lines: text,
      line_number: z.nullable(z.number()),
      submatches: z.array(z.object({ start: z.number() })),
    }),
  }),
  z.object({ type: z.literal('end'), data: z.object({ path: text, binary_offset: z.nullable(z.number()) }) }),
  z.object({ type: z.literal('summary') }),
]);

/** Searches with ripgrep: fixed arguments, no configuration, links not followed. @throws AgentError invalid_input */
export async function grepWithRipgrep(root: Root, request: GrepRequest, signal: AbortSignal): Promise<GrepResult> {
  const start = posix.relative(root.path, resolveReal(root, toRelative(root, request.path))) || '.';
  const collector = new GrepCollector(root, request);
  const child = spawn('rg', argumentsFor(request, start), {
    cwd: root.path,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '/usr/bin' },
    signal,
    killSignal: 'SIGKILL',
  });
  const failure = new Promise<Error | null>((resolve) => {
    child.on('error', resolve);
    child.on('close', () => resolve(null));
  });
  let complaint = '';
  child.stderr.on('data', (bytes: Buffer) => {
    if (complaint.length < 4_096) complaint += bytes.toString('utf8');
  });
  for await (const line of createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
    takeEvent(line, collector);
    if (collector.matches >= matchLimit) child.kill('SIGKILL');
  }
  const failed = await failure;
  signal.throwIfAborted();
  if (failed) throw new AgentError('unavailable', `The search program failed: ${failed.message}`, { cause: failed });
  // 2 is an error; with matches beside it, it is a file that could not be read.
  if (child.exitCode === 2 && collector.matches === 0) throw badPattern(request, complaint);
  return collector.result();
}

export function badPattern(request: GrepRequest, complaint: string): AgentError {
  return new AgentError('invalid_input', `"${request.pattern}" was not accepted: ${complaint.trim().slice(0, 600)}`, {
    next: request.fixed
      ? 'Check pattern and glob.'
      : 'Set fixed to true to search for it literally, or escape the special characters.',
  });
}

function argumentsFor(request: GrepRequest, start: string): string[] {
  const words = [
    '--json',
    '--no-config',
    '--no-follow',
    '--sort',
    'path',
    '--max-filesize',
    String(sizeLimitBytes),
    '--no-require-git',
    '--no-ignore-global',
  ];
  if (request.context > 0 && request.output === 'content') words.push('--context', String(request.context));
  if (request.ignoreCase) words.push('--ignore-case');
  if (request.fixed) words.push('--fixed-strings');
  if (request.multiline) words.push('--multiline');
  if (request.all) words.push('--hidden', '--no-ignore');
  for (const glob of request.globs) words.push('--glob', glob);
  return [...words, '--regexp', request.pattern, '--', start];
}

function takeEvent(line: string, collector: GrepCollector): void {
  const event = eventSchema.parse(JSON.parse(line));
  if (event.type === 'begin') collector.begin(plain(event.data.path).replace(/^\.\//, ''));
  if (event.type === 'end') collector.end(event.data.binary_offset !== null);
  if (event.type !== 'match' && event.type !== 'context') return;
  const first = event.data.submatches[0]?.start ?? 0;
  collector.line(event.data.line_number ?? 0, plain(event.data.lines), event.type === 'match', first);
}

function plain(value: { text?: string; bytes?: string }): string {
  return value.text ?? Buffer.from(value.bytes ?? '', 'base64').toString('utf8');
}
