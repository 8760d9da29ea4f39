import type { JsonObject } from './json.ts';
import type { ToolOutput } from './tool-call.ts';

/**
 * Layer 1, the LangChain BaseTool analog: what can be executed. It knows nothing of approval, sandbox or host.
 * `inputSchema` is a JSON schema whose root is an object.
 */
export type Tool<Context = unknown> = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  execute(input: never, context: Context): Promise<ToolOutput>;
};
