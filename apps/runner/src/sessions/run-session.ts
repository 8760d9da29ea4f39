import type { SessionDeps } from './session-deps.ts';
import { isConflict, SessionDrive } from './session-drive.ts';
import { stopElsewhere } from './stop-elsewhere.ts';

export type SessionRunner = {
  /** Something new is there: a message, an answer, a change of mode. Returns at once. */
  wake(sessionId: string): void;
  /** Resolves when the running turn has ended, wherever it runs; at once where none does. */
  stop(sessionId: string, by: string): Promise<void>;
  isRunning(sessionId: string): boolean;
  /** Goes down like a crash, only faster: turns stay open in the log and whoever starts next goes on with them. */
  close(): Promise<void>;
};

/** At most one drive a session in this process; across processes the lease decides. */
export function createSessionRunner(deps: SessionDeps): SessionRunner {
  const drives = new Map<string, SessionDrive>();
  let closed = false;
  const deafen = deps.log.subscribeOutside((sessionId) => {
    for (const [id, drive] of drives) if (sessionId === null || sessionId === id) drive.wake();
  });

  function start(sessionId: string): void {
    const drive = new SessionDrive(deps, sessionId);
    drives.set(sessionId, drive);
    void drive.ended.then(({ error, wokenAgain }) => {
      drives.delete(sessionId);
      if (error !== null && !isConflict(error))
        deps.report({ message: `Session ${sessionId} could not go on.`, cause: error });
      // Woken after its last look at the queue: nobody else would look again.
      if (wokenAgain && !closed) start(sessionId);
    });
  }

  function wake(sessionId: string): void {
    if (closed) return;
    const drive = drives.get(sessionId);
    if (drive) drive.wake();
    else start(sessionId);
  }

  return {
    wake,
    async stop(sessionId, by) {
      const asked = await deps.stores.turns.requestStop(sessionId);
      const drive = drives.get(sessionId);
      if (drive?.running) await drive.stop();
      else if (asked) await stopElsewhere(deps, { sessionId, by, wake });
    },
    isRunning: (sessionId) => drives.get(sessionId)?.running ?? false,
    async close() {
      closed = true;
      deafen();
      await Promise.all([...drives.values()].map((drive) => drive.abandon()));
    },
  };
}
