export { errorCodes, HostError, ToolError } from './errors.ts';
export type { ErrorCode, HostErrorCode, ToolErrorDetails } from './errors.ts';
export { defineTool } from './contract/define-tool.ts';
