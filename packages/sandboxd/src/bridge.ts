import { connect, Socket } from 'node:net';

/** What an engine's exec runs inside the sandbox: its stdio is one connection to the agent's socket. */
const path = process.argv[2] ?? '/tmp/oneslot/agent.sock';
const retryMs = 20;
/** The agent may still be booting when the first bridge arrives. */
const giveUpAt = performance.now() + 15_000;

function open(): void {
  const socket = connect(path);
  socket.setNoDelay(true);
  socket.once('connect', () => join(socket));
  socket.once('error', (error: NodeJS.ErrnoException) => {
    socket.destroy();
    const booting = error.code === 'ENOENT' || error.code === 'ECONNREFUSED';
    if (booting && performance.now() < giveUpAt) setTimeout(open, retryMs);
    else leave(`The sandbox agent cannot be reached at ${path}: ${error.message}`);
  });
}

/** An engine does not kill an exec whose client is gone: whatever ends first ends the bridge. */
function join(socket: Socket): void {
  // Opened by hand because process.stdout blocks the whole process on a full pipe.
  const out = new Socket({ fd: 1, readable: false, writable: true });
  for (const stream of [socket, out, process.stdin]) stream.on('error', () => process.exit(0));
  process.stdin.on('end', () => process.exit(0));
  process.stdin.on('close', () => process.exit(0));
  socket.on('close', () => out.end(() => process.exit(0)));
  out.on('close', () => process.exit(0));
  process.stdin.pipe(socket);
  socket.pipe(out, { end: false });
}

function leave(message: string): void {
  process.stderr.write(`${message}\n`, () => process.exit(1));
}

open();
