export { AgentError, type AgentErrorCode, agentErrorCodes } from './agent-error.ts';
export type { ArchiveReport, SandboxArchive } from './client/archive.ts';
export type { CommandResult, SandboxCommands } from './client/commands.ts';
export type { ConnectOptions } from './client/connection.ts';
export type { FileBytes, SandboxFiles } from './client/files.ts';
export type { SandboxTerminal } from './client/terminal.ts';
export { connectSandbox, type GitAnswer, type SandboxClient, type SandboxUsage } from './client.ts';
export { type AgentFeatures, type AgentHello, protocolVersion } from './protocol.ts';
export { startSimulated } from './simulated/start.ts';
