export type FileKind = 'file' | 'directory' | 'link' | 'other';

/** `path` is workspace-relative with `/`. `linkTarget` is set on links; `outside` when it leaves the workspace. */
export type FileInfo = {
  path: string;
  kind: FileKind;
  sizeBytes: number;
  mtimeMs: number;
  mode: number;
  linkTarget?: string;
  outside?: boolean;
};

/** Raw bytes. `sha256` (hex) covers the whole file and is null for a window of a file above 50 MiB. */
export type FileBytes = { path: string; bytes: Uint8Array; offset: number; sizeBytes: number; sha256: string | null };

/** Lines [from, to], 1-based and inclusive, already decoded, without line endings. `totalLines` is null when not counted. */
export type FileLines = {
  path: string;
  lines: string[];
  from: number;
  to: number;
  totalLines: number | null;
  sizeBytes: number;
  sha256: string | null;
  encoding: 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be';
  eol: 'lf' | 'crlf' | 'mixed' | 'none';
};

/** What this session last saw of a file; the whole file counts as seen when `from` is 1 and `to` covers it. */
export type Seen = { sha256: string; from: number; to: number; totalLines: number };
export type ListRequest = { path: string; depth: number; all: boolean; limit: number };

/** Depth-first, folders before files, byte order. `hidden` counts what ignore rules left out. */
export type ListResult = { entries: FileInfo[]; hidden: number; stopped: boolean };
export type GrepRequest = {
  pattern: string;
  path: string;
  globs: readonly string[];
  output: 'content' | 'files' | 'count';
  context: number;
  ignoreCase: boolean;
  fixed: boolean;
  multiline: boolean;
  all: boolean;
  limit: number;
  offset: number;
};
export type GrepLine = { path: string; line: number; text: string; match: boolean };
export type GrepResult = {
  lines: GrepLine[];
  files: { path: string; count: number; mtimeMs: number }[];
  matches: number;
  matchesExact: boolean;
  filesMatched: number;
  skipped: number;
};
export type FindRequest = {
  pattern?: string;
  query?: string;
  path: string;
  extensions: readonly string[];
  kind: 'file' | 'directory' | 'any';
  sort: 'score' | 'mtime' | 'path';
  all: boolean;
  limit: number;
};
export type FindResult = { hits: (FileInfo & { score: number })[]; total: number };

/** Every path is workspace-relative or absolute under /workspace. All methods throw ToolError. */
export type FileReader = {
  stat(path: string): Promise<FileInfo>;
  /** Whole file up to 50 MiB; a window where `offset`/`length` (bytes) are given. @throws too_large, binary is not judged */
  read(path: string, window?: { offset: number; length: number }): Promise<FileBytes>;
  /** @throws binary_file where the bytes are no text. */
  readLines(path: string, window: { from: number; maxLines: number; maxBytes: number }): Promise<FileLines>;
  list(request: ListRequest): Promise<ListResult>;
  grep(request: GrepRequest): Promise<GrepResult>;
  find(request: FindRequest): Promise<FindResult>;
  /** Up to three existing paths that look like this one. */
  nearest(path: string): Promise<string[]>;
  /** Freshness: what this session last saw of `path`, and the record of it. */
  seen(path: string): Promise<Seen | null>;
  markSeen(path: string, seen: Seen): Promise<void>;
};

/** Writes are atomic (temporary file, then rename), keep mode bits and create parent folders. */
export type FileWriter = FileReader & {
  /**
   * `expectedSha256`: hex of the bytes that must be there now, null when the path must not exist.
   * @throws stale_file when the bytes differ, conflict when it exists though null was given
   */
  write(
    path: string,
    bytes: Uint8Array,
    options: { expectedSha256: string | null },
  ): Promise<{ path: string; sha256: string; created: boolean }>;
};
export type GitReader = { run(args: readonly string[]): Promise<{ exitCode: number; stdout: string; stderr: string }> };
