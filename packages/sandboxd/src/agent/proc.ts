import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Name of the variable that marks every process of a command; its value is the command's secret cookie. */
export const cookieName = 'ONESLOT_JOB';
const stateListen = '0A';

/** Reads of /proc race with processes that end; those that are gone or foreign are simply not there. */
function readOr<T>(read: () => T, absent: T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return absent;
    throw error;
  }
}

function processIds(): number[] {
  return readOr(() => readdirSync('/proc'), [])
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Processes whose environment carries the cookie, whatever group or session they moved to. */
export function processesWithCookie(cookie: string): number[] {
  const mark = Buffer.from(`${cookieName}=${cookie}\0`);
  return processIds().filter(
    (pid) => pid !== process.pid && readOr(() => readFileSync(`/proc/${pid}/environ`), Buffer.alloc(0)).includes(mark),
  );
}

type Listener = { port: number; inode: string };

function listeners(): Listener[] {
  const found: Listener[] = [];
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const row of readOr(() => readFileSync(file, 'latin1'), '')
      .split('\n')
      .slice(1)) {
      const columns = row.trim().split(/\s+/);
      if (columns[3] !== stateListen) continue;
      const port = Number.parseInt(columns[1]?.split(':')[1] ?? '', 16);
      found.push({ port, inode: columns[9] ?? '' });
    }
  }
  return found;
}

/** TCP ports the processes of a command listen on, ascending. */
export function listeningPorts(cookie: string): number[] {
  const open = listeners();
  if (open.length === 0) return [];
  const sockets = new Set<string>();
  for (const pid of processesWithCookie(cookie)) {
    for (const fd of readOr(() => readdirSync(`/proc/${pid}/fd`), [])) {
      const inode = /^socket:\[(\d+)\]$/.exec(readOr(() => readlinkSync(`/proc/${pid}/fd/${fd}`), ''))?.[1];
      if (inode !== undefined) sockets.add(inode);
    }
  }
  return [...new Set(open.filter(({ inode }) => sockets.has(inode)).map(({ port }) => port))].sort((a, b) => a - b);
}
