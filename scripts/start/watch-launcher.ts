import { readFileSync } from 'node:fs';

const everyMs = 1000;
const maxHops = 4; // this process ← older Node ← sh ← npm

/** Calls back once when npm, or the older Node that fetched this one, is gone without having ended this process. */
export function watchLauncher(gone: () => void): void {
  const chain = launchers();
  if (chain.length < 2) return;
  const timer = setInterval(() => {
    if (chain.slice(0, -1).every((pid, index) => parentOf(pid) === chain[index + 1])) return;
    clearInterval(timer);
    gone();
  }, everyMs);
  timer.unref();
}

/** This process and those above it up to npm; only itself where nothing launched it on its behalf. */
function launchers(): number[] {
  const chain = [process.pid];
  while (chain.length <= maxHops) {
    const parent = parentOf(chain.at(-1) ?? 0);
    if (!parent || parent === 1) break;
    chain.push(parent);
    if (/^npm\b|npm-cli|pnpm/.test(commandOf(parent))) return chain;
  }
  return process.env.ONESLOT_NODE_REEXEC ? chain.slice(0, 2) : chain.slice(0, 1);
}

function parentOf(pid: number): number | undefined {
  if (pid === process.pid) return process.ppid;
  const stat = readProc(pid, 'stat');
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function commandOf(pid: number): string {
  return readProc(pid, 'cmdline')?.replaceAll('\0', ' ') ?? '';
}

/** Undefined where the process is gone, or where the system has no /proc: then only the nearest parent is watched. */
function readProc(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}
