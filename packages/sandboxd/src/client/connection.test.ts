import type { Duplex } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import type { CallContext } from '../agent/server-call.ts';
import { AgentError } from '../agent-error.ts';
import { FrameChannel } from '../frame-channel.ts';
import { chunkBytes, encodeJson, type Frame, frameTypes, protocolVersion, windowBytes } from '../protocol.ts';
import { fakeServer, openPair } from '../testing/duplex-pair.ts';
import { Connection } from './connection.ts';

const info = { path: 'a', kind: 'file' as const, sizeBytes: 1, mtimeMs: 1, mode: 0o644 };

async function connect(handlers: Parameters<typeof fakeServer>[0], epoch = 1) {
  const server = fakeServer(handlers);
  const lost: string[] = [];
  const join = (withEpoch: number) => {
    const [near, far] = openPair();
    void server.serve(far);
    return new Connection(near, {
      epoch: withEpoch,
      onLost: (reason) => lost.push(reason),
      heartbeatMs: 60_000,
      graceMs: 50,
    });
  };
  const connection = join(epoch);
  await connection.handshake();
  return { connection, lost, join };
}

/** An agent's end in the hands of the test: answers the greeting, then sends what it likes. */
async function hostile(answer: (frame: Frame, agent: FrameChannel) => void) {
  const [near, far] = openPair();
  const hello = {
    protocol: protocolVersion,
    version: 'x',
    bootId: 'b',
    epoch: 1,
    isolation: 'none',
    features: { pty: false, git: false, ripgrep: false, background: true, processes: false },
  };
  const agent: FrameChannel = new FrameChannel(
    far as Duplex,
    (frame) =>
      frame.type === frameTypes.hello ? agent.send(frameTypes.hello, 0, encodeJson(hello)) : answer(frame, agent),
    () => undefined,
  );
  const lost: string[] = [];
  const connection = new Connection(near, {
    epoch: 1,
    onLost: (reason) => lost.push(reason),
    heartbeatMs: 60_000,
    graceMs: 50,
  });
  await connection.handshake();
  return { connection, lost, agent };
}

describe('Connection', () => {
  it('answers calls out of order, each with its own', async () => {
    const waiting = new Map<string, () => void>();
    const { connection } = await connect({
      'files.stat': async ({ path }) => {
        await new Promise<void>((resolve) => waiting.set(path, resolve));
        return { ...info, path };
      },
    });
    const one = connection.call('files.stat', { path: 'one' });
    const two = connection.call('files.stat', { path: 'two' });
    await vi.waitFor(() => expect(waiting.size).toBe(2));
    waiting.get('two')?.();
    expect((await two).path).toBe('two');
    waiting.get('one')?.();
    expect((await one).path).toBe('one');
  });

  it('carries error code, message, next and data', async () => {
    const { connection } = await connect({
      'files.stat': () =>
        Promise.reject(new AgentError('not_found', 'no such', { next: 'look', data: { near: ['a'] } })),
    });
    await expect(connection.call('files.stat', { path: 'x' })).rejects.toMatchObject({
      code: 'not_found',
      message: 'no such',
      next: 'look',
      data: { near: ['a'] },
    });
  });

  it('reports a bug of the agent as internal', async () => {
    const { connection } = await connect({ 'files.stat': () => Promise.reject(new TypeError('oops')) });
    await expect(connection.call('files.stat', { path: 'x' })).rejects.toMatchObject({ code: 'internal' });
  });

  it('brings answers larger than a frame', async () => {
    const entries = Array.from({ length: 10_000 }, (_unused, index) => ({
      ...info,
      path: `${index}`.padEnd(200, 'x'),
    }));
    const { connection } = await connect({ 'files.list': async () => ({ entries, hidden: 0, stopped: false }) });
    const list = await connection.call('files.list', { path: '.', depth: 1, all: false, limit: 10_000 });
    expect(list.entries).toHaveLength(10_000);
  });

  it('stops the agent at the window while the reader pauses, and goes on with it', async () => {
    let sent = 0;
    const total = 5 * windowBytes;
    const { connection } = await connect({
      'archive.export': async (_args, call: CallContext) => {
        for (; sent < total; sent += chunkBytes) await call.write(Buffer.alloc(chunkBytes, 7));
        return { files: 0, bytes: total };
      },
    });
    const { data, result } = connection.open('archive.export', {});
    for (let round = 0; round < 20; round += 1) await connection.ping();
    expect(sent).toBeLessThanOrEqual(windowBytes);
    expect(data.bufferedBytes).toBeLessThanOrEqual(windowBytes);
    let read = 0;
    for await (const chunk of data) read += chunk.length;
    expect(read).toBe(total);
    expect(await result).toEqual({ files: 0, bytes: total });
  });

  it('lets a ping pass a bulk read', async () => {
    let running = true;
    const { connection } = await connect({
      'archive.export': async (_args, call: CallContext) => {
        while (running) await call.write(Buffer.alloc(chunkBytes));
        return { files: 0, bytes: 0 };
      },
    });
    const { data, result } = connection.open('archive.export', {});
    const reading = (async () => {
      for await (const _chunk of data) if (!running) break;
    })();
    for (let round = 0; round < 5; round += 1) expect(await connection.ping()).toBeLessThan(1_000);
    running = false;
    await Promise.allSettled([reading, result]);
  });

  it('feeds input no faster than the handler reads', async () => {
    let given = 0;
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { connection } = await connect({
      'archive.import': async (_args, call: CallContext) => {
        await gate;
        let bytes = 0;
        for await (const chunk of call.input) bytes += chunk.length;
        return { files: 0, bytes, skipped: [] };
      },
    });
    const total = 64 * chunkBytes;
    async function* source() {
      for (; given < total; given += chunkBytes) yield Buffer.alloc(chunkBytes);
    }
    const result = connection.call('archive.import', {}, { input: source() });
    for (let round = 0; round < 20; round += 1) await connection.ping();
    expect(given).toBeLessThanOrEqual(windowBytes + chunkBytes);
    open();
    expect((await result).bytes).toBe(total);
  });

  it('hands the sandbox to a higher epoch and turns a lower one away', async () => {
    const { connection, lost, join } = await connect({ 'files.stat': () => new Promise(() => undefined) }, 5);
    const pending = connection.call('files.stat', { path: 'x' });
    const higher = join(6);
    expect((await higher.handshake()).epoch).toBe(6);
    await expect(pending).rejects.toMatchObject({ code: 'sandbox_lost' });
    expect(lost).toHaveLength(1);
    await expect(join(5).handshake()).rejects.toMatchObject({ code: 'conflict' });
    expect(await higher.ping()).toBeGreaterThanOrEqual(0);
  });

  it('lets the same epoch come back after its stream was lost', async () => {
    const { connection, join } = await connect({ 'files.stat': async () => info });
    connection.close();
    const again = join(1);
    await again.handshake();
    expect(await again.call('files.stat', { path: 'a' })).toEqual(info);
  });

  it('ends a call at its deadline, with the agent told to stop', async () => {
    let stopped: unknown;
    const { connection, lost } = await connect({
      'files.stat': (_args, call: CallContext) =>
        new Promise((_resolve, reject) => {
          call.signal.addEventListener('abort', () => {
            stopped = call.signal.reason;
            reject(call.signal.reason);
          });
        }),
    });
    await expect(connection.call('files.stat', { path: 'x' }, { deadlineMs: 20 })).rejects.toMatchObject({
      code: 'timeout',
    });
    expect(stopped).toMatchObject({ code: 'timeout' });
    expect(lost).toEqual([]);
  });

  it('cancels by signal', async () => {
    const stop = new AbortController();
    let begun = false;
    const { connection } = await connect({
      'files.stat': (_args, call: CallContext) =>
        new Promise((_resolve, reject) => {
          begun = true;
          call.signal.addEventListener('abort', () => reject(call.signal.reason));
        }),
    });
    const pending = connection.call('files.stat', { path: 'x' }, { signal: stop.signal });
    await vi.waitFor(() => expect(begun).toBe(true));
    stop.abort();
    await expect(pending).rejects.toMatchObject({ code: 'cancelled' });
    await expect(connection.call('files.stat', { path: 'x' }, { signal: stop.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  it('ends a call of an agent that never answers, and gives the agent up', async () => {
    const { connection, lost } = await hostile(() => undefined);
    await expect(connection.call('files.stat', { path: 'x' }, { deadlineMs: 10 })).rejects.toMatchObject({
      code: 'timeout',
    });
    await vi.waitFor(() => expect(lost).toEqual(['the agent did not end files.stat after it was told to']), {
      timeout: 8_000,
    });
  });

  it.each([
    [
      'more data than it was granted',
      (frame: Frame, agent: FrameChannel) => {
        for (let sent = 0; sent <= windowBytes; sent += chunkBytes)
          agent.send(frameTypes.out, frame.id, Buffer.alloc(chunkBytes));
      },
    ],
    [
      'an answer that is no JSON',
      (frame: Frame, agent: FrameChannel) => agent.send(frameTypes.end, frame.id, Buffer.from('{')),
    ],
    [
      'an answer of the wrong shape',
      (frame: Frame, agent: FrameChannel) => agent.send(frameTypes.end, frame.id, encodeJson({ error: 'x' })),
    ],
    ['a second greeting', (_frame: Frame, agent: FrameChannel) => agent.send(frameTypes.hello, 0, encodeJson({}))],
  ])('drops an agent that sends %s', async (_what, answer) => {
    const { connection, lost } = await hostile(answer);
    const { result } = connection.open('archive.export', {});
    await expect(result).rejects.toMatchObject({ code: 'sandbox_lost' });
    expect(lost).toHaveLength(1);
  });

  it('takes a result of another shape as a failure of that call alone', async () => {
    const { connection, lost } = await hostile((frame, agent) =>
      agent.send(frameTypes.end, frame.id, encodeJson({ result: { path: 7 } })),
    );
    await expect(connection.call('files.stat', { path: 'x' })).rejects.toMatchObject({ code: 'internal' });
    expect(lost).toEqual([]);
  });

  it('ignores frames of ids it never used', async () => {
    const { connection, lost, agent } = await hostile((frame, channel) => {
      channel.send(frameTypes.end, frame.id + 99, encodeJson({ result: {} }));
      channel.send(frameTypes.out, frame.id + 99, Buffer.alloc(10));
      channel.send(frameTypes.end, frame.id, encodeJson({ result: info }));
    });
    agent.send(frameTypes.credit, 4_000, Buffer.alloc(4));
    expect(await connection.call('files.stat', { path: 'a' })).toEqual(info);
    expect(lost).toEqual([]);
  });

  it.each([
    ['the stream ends', (agent: FrameChannel, _connection: Connection) => agent.close(null)],
    ['it is closed here', (_agent: FrameChannel, connection: Connection) => connection.close()],
    ['the agent breaks the rules', (agent: FrameChannel) => agent.send(frameTypes.hello, 0, Buffer.from('{}'))],
  ])('fails a ping on its way when %s', async (_what, end) => {
    const { connection, agent } = await hostile(() => undefined);
    const pings = [connection.ping(), connection.ping()];
    end(agent, connection);
    for (const ping of pings) await expect(ping).rejects.toMatchObject({ code: 'sandbox_lost' });
    await expect(connection.ping()).rejects.toMatchObject({ code: 'sandbox_lost' });
  });

  it('fails everything at once when the stream ends', async () => {
    const { connection, lost, agent } = await hostile((_frame, channel) => channel.close(null));
    await expect(connection.call('files.stat', { path: 'x' })).rejects.toMatchObject({ code: 'sandbox_lost' });
    await expect(connection.call('files.stat', { path: 'x' })).rejects.toMatchObject({ code: 'sandbox_lost' });
    await expect(connection.ping()).rejects.toMatchObject({ code: 'sandbox_lost' });
    expect(agent.closed).toBe(true);
    expect(lost).toHaveLength(1);
  });
});
