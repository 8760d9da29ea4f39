import { setTimeout as sleep } from 'node:timers/promises';
import { processesWithCookie } from './proc.ts';

const stepMs = 10;
const sweepRounds = 20;

/** False when nobody is left to receive it. */
export function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-groupId, signal);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM')) return false;
    throw error;
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM'))) throw error;
  }
}

/** Ends whatever carries the cookie: stops all first, so that none forks away between the look and the kill. */
export async function sweepCookie(cookie: string): Promise<number> {
  let killed = 0;
  for (let round = 0; round < sweepRounds; round += 1) {
    const found = processesWithCookie(cookie);
    if (found.length === 0) return killed;
    for (const pid of found) signalProcess(pid, 'SIGSTOP');
    for (const pid of found) signalProcess(pid, 'SIGKILL');
    killed += found.length;
    await sleep(stepMs);
  }
  return killed;
}

export type Ladder = { groupId: number; cookie: string; first: NodeJS.Signals; graceMs: number };

/** First signal to the group, a grace, KILL to the group, then the sweep for what left the group. False: nobody was left. */
export async function killTree({ groupId, cookie, first, graceMs }: Ladder): Promise<boolean> {
  const grouped = signalGroup(groupId, first);
  if (grouped) {
    for (let waited = 0; waited < graceMs && signalGroup(groupId, 0); waited += stepMs) await sleep(stepMs);
    signalGroup(groupId, 'SIGKILL');
  }
  return (await sweepCookie(cookie)) > 0 || grouped;
}
