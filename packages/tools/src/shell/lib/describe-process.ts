import type { PollResult, ProcessInfo } from '@oneslot/core';

export function formatDuration(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

export function describeState(process: ProcessInfo): string {
  return process.state === 'running' ? 'running' : `exit ${process.exitCode ?? 'by signal'}`;
}

/** `p_ab12 · running · 12.0 s · last line · ports 5173` */
export function describeProcess(process: ProcessInfo): string {
  const ports = process.listeningPorts.length > 0 ? ` · ports ${process.listeningPorts.join(', ')}` : '';
  const lastLine = process.lastLine === '' ? '' : ` · ${process.lastLine.slice(0, 120)}`;
  return `${process.processId} · ${describeState(process)} · ${formatDuration(process.ageMs)}${lastLine}${ports}`;
}

export function describeOutput(poll: PollResult): string {
  const dropped = poll.droppedBytes > 0 ? `(${poll.droppedBytes} bytes were dropped)\n` : '';
  return poll.text === '' ? `no new output for ${formatDuration(poll.silentMs)}` : dropped + poll.text;
}
