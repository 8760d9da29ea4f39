export type Clock = {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

/** Unpredictable bytes; the caller encodes them. */
export type RandomBytes = (length: number) => Uint8Array;
