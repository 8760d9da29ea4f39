import { AgentError } from '../agent-error.ts';
import type { PollRequest, PollResult } from '../operations.ts';
import type { Job } from './job.ts';

/** What one poll hands over at most; the rest waits for the next one. */
const replyBytes = 1_048_576;
/** A caller that sees the end asks no more, so the end carries all; as JSON this still fits into one answer. */
const lastReplyBytes = 8_388_608;
const matchChars = 262_144;

/** Waits for what the caller asked for, then returns what this caller has not seen yet. */
export async function pollJob(job: Job, request: PollRequest, signal: AbortSignal): Promise<PollResult> {
  const from = request.fromStart ? 0 : (job.cursors.get(request.callerId) ?? 0);
  const wanted = conditionOf(job, request, from);
  await waitUntil(job, wanted, request.waitMs, signal);
  const { text, next } = readFrom(job, from);
  job.cursors.set(request.callerId, next);
  return {
    ...job.describe(),
    text,
    droppedBytes: Math.max(0, job.log.start - from),
    silentMs: Math.round(performance.now() - job.lastOutputAt),
  };
}

function conditionOf(job: Job, request: PollRequest, from: number): () => boolean {
  if (request.until === 'exit') return () => false;
  if (request.until === 'output') return () => job.log.end > from;
  const expression = compilePattern(request.pattern);
  return () => expression.test(readFrom(job, Math.max(from, job.log.end - matchChars)).text);
}

function compilePattern(pattern: string | undefined): RegExp {
  if (pattern === undefined) throw new AgentError('invalid_input', 'until "match" needs a pattern.');
  try {
    return new RegExp(pattern, 'm');
  } catch (cause) {
    throw new AgentError(
      'invalid_input',
      `"${pattern}" is no regular expression: ${cause instanceof Error ? cause.message : ''}`,
      { cause },
    );
  }
}

async function waitUntil(job: Job, wanted: () => boolean, waitMs: number, signal: AbortSignal): Promise<void> {
  const until = performance.now() + waitMs;
  while (job.end === null && !wanted()) {
    signal.throwIfAborted();
    const left = until - performance.now();
    if (left <= 0) return;
    await changeWithin(job, left, signal);
  }
}

function changeWithin(job: Job, ms: number, signal: AbortSignal): Promise<void> {
  const { happened, forget } = job.changed();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      forget();
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    void happened.then(done);
  });
}

/** Text from an offset on; while it runs, half a character at the end stays for the next poll. */
function readFrom(job: Job, from: number): { text: string; next: number } {
  const limit = job.end === null ? replyBytes : lastReplyBytes;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (const piece of job.log.read(from)) {
    chunks.push(piece);
    bytes += piece.length;
    if (bytes >= limit) break;
  }
  const whole = Buffer.concat(chunks, bytes);
  const start = Math.max(from, job.log.start);
  const complete = job.end !== null && start + bytes >= job.log.end ? bytes : completeLength(whole);
  return { text: whole.subarray(0, complete).toString('utf8'), next: start + complete };
}

function completeLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
