import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { JsonObject } from '../contract/json.ts';
import { ToolError } from '../errors.ts';

/** SHA-256 (hex) of the RFC 8785 form of `value`. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalText(value)).digest('hex');
}

/** RFC 8785 JSON. @throws ToolError internal where a value has no JSON form. */
export function canonicalText(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new ToolError('internal', 'A value without a JSON form cannot be hashed.');
  return text;
}

/** Equal for equal requests, whatever call and session make them. */
export function inputDigest(tool: string, toolVersion: string, input: JsonObject): string {
  return digestOf({ input, tool, toolVersion });
}
