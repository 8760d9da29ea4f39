export type EnvelopeMeta = {
  callId: string;
  tool: string;
  origin: string;
  untrusted: boolean;
  /** First byte that was cut away from what the model saw; null when nothing was cut. */
  cutOffset: number | null;
  /** Texts of the conversation itself live as long as it does; everything else goes when its time is over. Default output. */
  kind?: 'output' | 'transcript';
};
export type EnvelopeInfo = EnvelopeMeta & {
  ref: string;
  bytes: number;
  lines: number;
  sha256: string;
  createdAt: number;
};

/** A stored output that is no more: `expired` outlived its days (`keptDays`), `evicted` made room for newer ones. */
export type EnvelopeGone = {
  why: 'expired' | 'evicted';
  /** Milliseconds since 1970. */
  at: number;
  keptDays: number;
  tool: string;
  callId: string;
  /** What the call was, in words for people; null where its row is gone. */
  title: string | null;
};

/** Scoped to one session: a ref of another session answers exactly like an unknown one. */
export type EnvelopeStore = {
  /** Rows become readable only with `finish`; `abort` leaves nothing. */
  open(meta: EnvelopeMeta): Promise<EnvelopeWriter>;
  info(ref: string): Promise<EnvelopeInfo | null>;
  /** Why a ref of this session has no output any more; null where it never had one. */
  gone(ref: string): Promise<EnvelopeGone | null>;
  /** Bytes [start, end); fewer where the output was removed meanwhile. */
  read(ref: string, start: number, end: number): Promise<Uint8Array>;
  newest(limit: number): Promise<string[]>;
};
export type EnvelopeWriter = {
  ref: string;
  write(chunk: Uint8Array): Promise<void>;
  finish(cutOffset: number | null): Promise<EnvelopeInfo>;
  abort(): Promise<void>;
};
