import { Duplex } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';

/** Bytes that may be on their way to the other thread before the writer waits. */
const inFlightBytes = 262_144;

type Message = { kind: 'bytes'; bytes: Uint8Array } | { kind: 'taken'; count: number } | { kind: 'end' };

/** One end of a byte stream between two threads, with the other thread's pace. */
export function portStream(port: MessagePort): Duplex {
  let inFlight = 0;
  let resume: (() => void) | null = null;
  let takenLater = 0;
  const post = (message: Message) => port.postMessage(message);
  const stream = new Duplex({
    read() {
      if (takenLater > 0) post({ kind: 'taken', count: takenLater });
      takenLater = 0;
    },
    write(chunk: Buffer, _encoding, done) {
      inFlight += chunk.length;
      // A copy, because a pooled buffer cannot be handed over and shares its memory with others.
      post({ kind: 'bytes', bytes: Uint8Array.from(chunk) });
      if (inFlight < inFlightBytes) return done();
      resume = done;
    },
    final(done) {
      post({ kind: 'end' });
      done();
    },
    destroy(error, done) {
      port.close();
      done(error);
    },
  });
  port.on('message', (message: Message) => {
    if (message.kind === 'end') stream.push(null);
    else if (message.kind === 'bytes') {
      const { bytes } = message;
      if (stream.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)))
        post({ kind: 'taken', count: bytes.length });
      else takenLater += bytes.length;
    } else {
      inFlight -= message.count;
      const next = inFlight < inFlightBytes ? resume : null;
      if (next) {
        resume = null;
        next();
      }
    }
  });
  port.on('close', () => stream.destroy());
  return stream;
}
