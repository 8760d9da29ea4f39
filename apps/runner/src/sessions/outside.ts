import type { Followers } from './followers.ts';

type Hear = (sessionId: string | null) => void;

/** What a session's driver did not write itself. What people follow hears everything; this leaves its own writes out. */
export function createOutside() {
  const hearers = new Set<Hear>();
  const tell: Hear = (sessionId) => {
    for (const hear of hearers) hear(sessionId);
  };
  return {
    tell,
    /** The same followers, so that what other runners write is told here too. */
    over: (followers: Followers): Followers => ({
      ...followers,
      wakeSession(sessionId) {
        followers.wakeSession(sessionId);
        tell(sessionId);
      },
      wakeAll() {
        followers.wakeAll();
        tell(null);
      },
    }),
    subscribe(hear: Hear): () => void {
      hearers.add(hear);
      return () => {
        hearers.delete(hear);
      };
    },
  };
}
