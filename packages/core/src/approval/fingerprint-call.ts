import type { JsonObject } from '../contract/json.ts';
import type { CommandParser } from '../contract/ports.ts';
import { digestOf } from './digest-call.ts';

export type CallToFingerprint = {
  tool: string;
  input: JsonObject;
  command: string | undefined;
  paths: readonly string[];
  hosts: readonly string[];
  discriminators: readonly string[];
  cwd: string;
  env: readonly { name: string; valueSha256: string }[];
};

/** Two rulers on purpose: a denial stops the exact call and nothing else, a grant spares interruption for its shape. */
export type CallFingerprints = {
  exact: string;
  /** Null where nothing but the exact call may be granted. */
  grant: { fingerprint: string; words: string; examples: string[] } | null;
};

export function fingerprintCall(call: CallToFingerprint, _parser: CommandParser | null): CallFingerprints {
  const { tool, input, cwd, env } = call;
  return { exact: digestOf({ kind: 'exact', tool, input, cwd, env }), grant: null };
}
