export type EnvelopeMeta = {
  callId: string;
  tool: string;
  origin: string;
  untrusted: boolean;
  /** First byte that was cut away from what the model saw; null when nothing was cut. */
  cutOffset: number | null;
};
export type EnvelopeInfo = EnvelopeMeta & {
  ref: string;
  bytes: number;
  lines: number;
  sha256: string;
  createdAt: number;
};

/** Scoped to one session: a ref of another session answers exactly like an unknown one. */
export type EnvelopeStore = {
  /** Rows become readable only with `finish`; `abort` leaves nothing. */
  open(meta: EnvelopeMeta): Promise<EnvelopeWriter>;
  info(ref: string): Promise<EnvelopeInfo | null>;
  /** Bytes [start, end). */
  read(ref: string, start: number, end: number): Promise<Uint8Array>;
  newest(limit: number): Promise<string[]>;
};
export type EnvelopeWriter = {
  ref: string;
  write(chunk: Uint8Array): Promise<void>;
  finish(cutOffset: number | null): Promise<EnvelopeInfo>;
  abort(): Promise<void>;
};
