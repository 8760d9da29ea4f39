import { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** This process's stdin and stdout as one stream; stdout is opened by hand, since process.stdout blocks on a full pipe. */
export function openStdio(): Duplex {
  const out = new Socket({ fd: 1, readable: false, writable: true });
  const stream = new Duplex({
    read: () => void process.stdin.resume(),
    write: (chunk: Buffer, _encoding, done) => void out.write(chunk, done),
    final: (done) => void out.end(done),
    destroy: (error, done) => {
      process.stdin.destroy();
      out.destroy();
      done(error);
    },
  });
  process.stdin.on('data', (chunk: Buffer) => {
    if (!stream.push(chunk)) process.stdin.pause();
  });
  process.stdin.on('end', () => stream.push(null));
  for (const end of [process.stdin, out]) {
    end.on('error', (error) => stream.destroy(error));
    end.on('close', () => stream.destroy());
  }
  return stream;
}
