import type { Capability } from './capability.ts';
import type { JsonObject } from './json.ts';
import type { Level, Use } from './ports.ts';
import type { Tool } from './tool.ts';

/** What one input asks for: paths and hosts feed policy and preconditions; a level may raise, `readOnly` may only lower where the host allows. */
export type InputVerdict = {
  level?: Level;
  readOnly?: boolean;
  /** Refused in every mode, with the reason the model reads. */
  refuse?: string;
  /** Plan mode asks a person instead of refusing; heard from built-in tools only. */
  asksInPlanMode?: boolean;
  /** Shell command line, where the tool runs one. */
  command?: string;
  paths?: readonly string[];
  hosts?: readonly string[];
};

export type ToolSource = 'builtin' | 'subagent' | `mcp:${string}` | `extension:${string}`;
export type ToolLoad = 'resident' | 'deferred';

/** Layer 2: how a tool is governed. Built by `defineTool` or by adopting a foreign declaration. */
export type ToolSpec = Omit<Tool<never>, 'execute'> & {
  readonly family: string;
  readonly capabilities: ReadonlySet<Capability>;
  readonly uses: ReadonlySet<Use>;
  readonly parallel: boolean;
  readonly load: ToolLoad;
  /** Wall time of `execute`; null for tools that wait for people. */
  readonly timeoutMs: number | null;
  readonly interactive: boolean;
  readonly pollable: boolean;
  /** Long text may reach the model as a summary, with the whole stored. Absent: only for tools of foreign origin. */
  readonly summarize?: boolean;
  /** An equal answer to an equal call is told as unchanged instead of being sent again. */
  readonly tellsUnchanged?: boolean;
  /** Takes a ref in `input_ref` in place of the text in the field `into`. */
  readonly inputRef?: { into: string; limitBytes: number };
  readonly source: ToolSource;
  /** Set on the stand-in of a broken definition: why it refuses every call. */
  readonly failClosed?: string;
  /** Schema to typed input. @throws ToolError invalid_input */
  parseInput(input: JsonObject): { input: JsonObject; warnings: string[] };
  /** Semantic check, pure, before approval. @throws ToolError invalid_input */
  validate(input: JsonObject): void;
  /** What this input asks for; `judge` grades command lines. */
  approvalFor(input: JsonObject, judge: CommandJudge): InputVerdict;
  /** One line for people, such as `read src/cart.ts`. */
  title(input: JsonObject): string;
  execute(
    input: JsonObject,
    context: ToolContextBase & Record<string, unknown>,
  ): Promise<import('./tool-call.ts').ToolOutput>;
};

/** Grades a command line; `simple` are its simple commands as literal words. */
export type CommandClass = 'read-only' | 'writes' | 'network' | 'executes' | 'destructive';
export type CommandJudgement = {
  class: CommandClass;
  reasons: readonly string[];
  simple: readonly string[][];
  /** Set where the line is refused in every mode. */
  refuse: string | null;
};
export type CommandJudge = (command: string) => CommandJudgement;

/** What every context holds, whatever was declared. `progress` reaches the page at most four times a second. */
export type ToolContextBase = {
  readonly callId: string;
  readonly signal: AbortSignal;
  progress(text: string): void;
};
