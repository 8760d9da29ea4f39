import type { Capability, FileInfo, Isolation, JsonObject, Level, ToolLoad } from '@oneslot/core';
import type { Dialect } from './store/contract.ts';

// What the routers need of the running parts, in types alone, so that they can be tested without an engine or a model.

export type ModelKind = 'openai-chat' | 'openai-responses' | 'tour' | 'manual';
export type ModelSummary = {
  id: string;
  name: string;
  /** What people call it; `providerId` names one they added and can remove, else it is null. */
  provider: string;
  providerId: string | null;
  kind: ModelKind;
  offline: boolean;
  /** Answers where a session chose none; exactly one of a list is. */
  isDefault: boolean;
};
export type ModelTarget =
  | { modelId: string; organizationId: string }
  | { baseUrl: string; apiKey: string | null; model: string; dialect: Dialect };
export type TestPhase = { name: string; ok: boolean; detail: string; tookMs: number };

export type ToolSummary = {
  name: string;
  family: string;
  description: string;
  capabilities: Capability[];
  level: Level;
  load: ToolLoad;
  source: string;
  state: 'ready' | 'unavailable';
  schema: JsonObject;
  tokens: number;
};

export type EngineInfo = {
  name: string;
  isolation: Isolation;
  reason: string;
  /** Whether the sandbox image is there: none needed, absent, building, ready, failed. */
  imageState: string;
  capabilities: string[];
};
export type EngineChoice = { name: string; available: boolean; why: string };

export type FileText = { path: string; text: string | null; sizeBytes: number; binary: boolean; sha256: string | null };

export type RunnerServices = {
  sessions: {
    /** Something new is there for this session; returns at once. */
    wake(sessionId: string): void;
    stop(sessionId: string, by: string): Promise<void>;
    isRunning(sessionId: string): boolean;
  };
  sandboxes: {
    describe(): EngineInfo;
    engines(): Promise<EngineChoice[]>;
    listFiles(sessionId: string, path: string): Promise<FileInfo[]>;
    readFile(sessionId: string, path: string): Promise<FileText>;
    importArchive(sessionId: string, tar: AsyncIterable<Uint8Array>): Promise<void>;
    exportArchive(sessionId: string): Promise<AsyncIterable<Uint8Array>>;
    /** Stops the sandbox and deletes its files. */
    remove(sessionId: string): Promise<void>;
  };
  models: {
    /** Offline models first, then those of the installation's environment, then the organization's own. */
    list(organizationId: string): Promise<ModelSummary[]>;
    test(target: ModelTarget): Promise<TestPhase[]>;
  };
  tools: { list(): ToolSummary[] };
};
