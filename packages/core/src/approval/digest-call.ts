import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { JsonObject } from '../contract/json.ts';
import { ToolError } from '../errors.ts';

/** SHA-256 (hex) of the RFC 8785 form of `value`. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalText(value)).digest('hex');
}

/** RFC 8785 JSON. Half characters, which it does not allow but a model can write, become U+FFFD. */
export function canonicalText(value: unknown): string {
  const text = canonicalize(wellFormed(value));
  if (text === undefined) throw new ToolError('internal', 'A value without a JSON form cannot be hashed.');
  return text;
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, inner] of Object.entries(value)) copy[key.toWellFormed()] = wellFormed(inner);
  return copy;
}

/** Equal for equal requests, whatever call and session make them. */
export function inputDigest(tool: string, toolVersion: string, input: JsonObject): string {
  return digestOf({ input, tool, toolVersion });
}
