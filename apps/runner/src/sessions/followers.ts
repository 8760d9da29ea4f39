/** Who wants to know that something new may be there. Wake-ups carry nothing: every follower reads the store itself. */
export type Followers = {
  subscribe(sessionId: string | null, wake: () => void): () => void;
  subscribeLists(organizationId: string, wake: () => void): () => void;
  wakeSession(sessionId: string): void;
  wakeLists(organizationId: string): void;
  wakeAll(): void;
};

export function createFollowers(): Followers {
  const sessions = new Map<string | null, Set<() => void>>();
  const lists = new Map<string, Set<() => void>>();
  const wake = (set: Set<() => void> | undefined) => {
    for (const one of set ?? []) one();
  };
  return {
    subscribe: (sessionId, follower) => add(sessions, sessionId, follower),
    subscribeLists: (organizationId, follower) => add(lists, organizationId, follower),
    wakeSession: (sessionId) => {
      wake(sessions.get(sessionId));
      wake(sessions.get(null));
    },
    wakeLists: (organizationId) => wake(lists.get(organizationId)),
    wakeAll: () => {
      for (const set of sessions.values()) wake(set);
      for (const set of lists.values()) wake(set);
    },
  };
}

function add<Key>(map: Map<Key, Set<() => void>>, key: Key, follower: () => void): () => void {
  const set = map.get(key) ?? new Set();
  map.set(key, set);
  set.add(follower);
  return () => {
    set.delete(follower);
    if (set.size === 0 && map.get(key) === set) map.delete(key);
  };
}
