import * as z from 'zod/mini';

/** Every operation of the agent: what it takes and what it answers. Both ends parse with these. */
const text = (most: number) => z.string().check(z.maxLength(most));
const words = (most: number) => z.string().check(z.minLength(1), z.maxLength(most));
const within = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most));
const amount = z.number().check(z.nonnegative());
const path = text(8_192);
const count = z.int().check(z.nonnegative());
const countOrNull = z.nullable(count);
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

export const fileInfoSchema = z.object({
  path,
  kind: z.enum(['file', 'directory', 'link', 'other']),
  sizeBytes: amount,
  mtimeMs: z.number(),
  mode: z.int(),
  linkTarget: z.exactOptional(text(8_192)),
  outside: z.exactOptional(z.boolean()),
});

export const fileLinesSchema = z.object({
  path,
  lines: z.array(z.string()),
  from: count,
  to: count,
  totalLines: countOrNull,
  sizeBytes: count,
  sha256: z.nullable(sha256),
  encoding: z.enum(['utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be']),
  eol: z.enum(['lf', 'crlf', 'mixed', 'none']),
});

export const listRequestSchema = z.object({
  path,
  depth: within(1, 20),
  all: z.boolean(),
  limit: within(1, 10_000),
});
export const listResultSchema = z.object({ entries: z.array(fileInfoSchema), hidden: count, stopped: z.boolean() });

export const grepRequestSchema = z.object({
  pattern: words(4_000),
  path,
  globs: z.readonly(z.array(text(1_000)).check(z.maxLength(50))),
  output: z.enum(['content', 'files', 'count']),
  context: within(0, 20),
  ignoreCase: z.boolean(),
  fixed: z.boolean(),
  multiline: z.boolean(),
  all: z.boolean(),
  limit: within(1, 10_000),
  offset: count,
});
export const grepResultSchema = z.object({
  lines: z.array(z.object({ path, line: count, text: z.string(), match: z.boolean() })),
  files: z.array(z.object({ path, count, mtimeMs: z.number() })),
  matches: count,
  matchesExact: z.boolean(),
  filesMatched: count,
  skipped: count,
});

export const findRequestSchema = z.object({
  pattern: z.exactOptional(words(1_000)),
  query: z.exactOptional(words(1_000)),
  path,
  extensions: z.readonly(z.array(text(50)).check(z.maxLength(50))),
  kind: z.enum(['file', 'directory', 'any']),
  sort: z.enum(['score', 'mtime', 'path']),
  all: z.boolean(),
  limit: within(1, 10_000),
});
export const findResultSchema = z.object({
  hits: z.array(z.extend(fileInfoSchema, { score: z.number() })),
  total: count,
});

const envName = z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/));
export const commandRequestSchema = z.object({
  command: words(65_536),
  cwd: z.exactOptional(path),
  env: z.exactOptional(z.record(envName, text(32_768))),
  stdin: z.exactOptional(text(524_288)),
  timeoutMs: within(1, 3_600_000),
  background: z.boolean(),
  tty: z.boolean(),
});
const ports = z.array(within(0, 65_535)).check(z.maxLength(1_000));
const processId = text(64);
export const commandResultSchema = z.object({
  processId,
  state: z.enum(['running', 'exited']),
  exitCode: z.nullable(z.int()),
  signal: z.nullable(text(32)),
  durationMs: amount,
  cwd: path,
  stdoutBytes: count,
  stderrBytes: count,
  droppedBytes: count,
  listeningPorts: ports,
  /** Processes the command left behind held its output open and were ended. */
  lingering: z.boolean(),
});
export const processInfoSchema = z.object({
  processId,
  command: z.string(),
  state: z.enum(['running', 'exited']),
  exitCode: z.nullable(z.int()),
  ageMs: amount,
  lastLine: z.string(),
  listeningPorts: ports,
});
export const pollRequestSchema = z.object({
  processId,
  waitMs: within(0, 600_000),
  until: z.enum(['exit', 'output', 'match']),
  pattern: z.exactOptional(text(4_000)),
  fromStart: z.boolean(),
  callerId: text(200),
});
export const pollResultSchema = z.extend(processInfoSchema, {
  text: z.string(),
  droppedBytes: count,
  silentMs: amount,
});

const nothing = z.object({});
const terminalSize = { columns: within(1, 1_000), rows: within(1, 1_000) };

export const operations = {
  'files.stat': { args: z.object({ path }), result: fileInfoSchema },
  /** The bytes are OUT frames. */
  'files.read': {
    args: z.object({ path, offset: z.exactOptional(count), length: z.exactOptional(count) }),
    result: z.object({ path, offset: count, sizeBytes: count, sha256: z.nullable(sha256) }),
  },
  'files.readLines': {
    args: z.object({
      path,
      from: z.int().check(z.minimum(1)),
      maxLines: z.int().check(z.minimum(1)),
      maxBytes: z.int().check(z.minimum(1)),
    }),
    result: fileLinesSchema,
  },
  'files.list': { args: listRequestSchema, result: listResultSchema },
  'files.grep': { args: grepRequestSchema, result: grepResultSchema },
  'files.find': { args: findRequestSchema, result: findResultSchema },
  'files.nearest': { args: z.object({ path }), result: z.array(path) },
  /** The bytes are STDIN frames. */
  'files.write': {
    args: z.object({ path, sizeBytes: count, expectedSha256: z.nullable(sha256) }),
    result: z.object({ path, sha256, created: z.boolean() }),
  },
  'files.mkdir': { args: z.object({ path }), result: nothing },
  'files.remove': { args: z.object({ path, recursive: z.boolean() }), result: z.object({ files: count }) },
  'files.move': { args: z.object({ from: path, to: path, overwrite: z.boolean() }), result: nothing },
  'git.run': {
    args: z.object({ args: z.array(text(8_192)).check(z.minLength(1), z.maxLength(200)) }),
    result: z.object({ exitCode: z.int(), stdout: z.string(), stderr: z.string() }),
  },
  /** OUT and ERR carry live output, best effort; the whole is kept and read by commands.output. */
  'commands.run': { args: commandRequestSchema, result: commandResultSchema },
  'commands.list': { args: nothing, result: z.array(processInfoSchema) },
  'commands.poll': { args: pollRequestSchema, result: pollResultSchema },
  'commands.stop': {
    args: z.object({ processId, signal: z.enum(['int', 'term', 'kill']) }),
    result: processInfoSchema,
  },
  'commands.output': {
    args: z.object({ processId, stream: z.enum(['stdout', 'stderr']) }),
    result: z.object({ bytes: count, droppedBytes: count }),
  },
  /** STDIN is a tar. */
  'archive.import': {
    args: nothing,
    result: z.object({
      files: count,
      bytes: count,
      skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
    }),
  },
  /** OUT is a tar. */
  'archive.export': {
    args: z.object({ path: z.exactOptional(path) }),
    result: z.object({ files: count, bytes: count }),
  },
  /** STDIN is input, OUT is output; ends when the shell ends. */
  'terminal.open': {
    args: z.object({ ...terminalSize, cwd: z.exactOptional(path) }),
    result: z.object({ exitCode: z.nullable(z.int()), signal: z.nullable(z.string()) }),
  },
  'terminal.resize': { args: z.object({ terminalId: count, ...terminalSize }), result: nothing },
  'tunnel.open': { args: z.object({ port: within(1, 65_535) }), result: nothing },
  usage: {
    args: nothing,
    result: z.object({
      workspaceBytes: countOrNull,
      freeBytes: countOrNull,
      processes: count,
      memoryBytes: countOrNull,
    }),
  },
} as const satisfies Record<string, { args: z.ZodMiniType; result: z.ZodMiniType }>;

export type Operation = keyof typeof operations;
export type OperationArgs<O extends Operation> = z.infer<(typeof operations)[O]['args']>;
export type OperationResult<O extends Operation> = z.infer<(typeof operations)[O]['result']>;

export type FileInfo = z.infer<typeof fileInfoSchema>;
export type FileLines = z.infer<typeof fileLinesSchema>;
export type ListRequest = z.infer<typeof listRequestSchema>;
export type ListResult = z.infer<typeof listResultSchema>;
export type GrepRequest = z.infer<typeof grepRequestSchema>;
export type GrepResult = z.infer<typeof grepResultSchema>;
export type FindRequest = z.infer<typeof findRequestSchema>;
export type FindResult = z.infer<typeof findResultSchema>;
export type CommandRequest = z.infer<typeof commandRequestSchema>;
export type PollRequest = z.infer<typeof pollRequestSchema>;
export type PollResult = z.infer<typeof pollResultSchema>;
export type ProcessInfo = z.infer<typeof processInfoSchema>;
export type CommandReport = z.infer<typeof commandResultSchema>;
