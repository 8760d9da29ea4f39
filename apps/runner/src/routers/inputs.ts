import { z } from 'zod';

// Text from people: bounded, and without NUL, which no text column can hold.
const withoutNul = (text: string) => !text.includes('\0');

export const id = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9_-]+$/);
export const sessionId = id;
export const modelId = z.string().min(1).max(200).refine(withoutNul);
/** Made by models and providers, so the alphabet is theirs. */
export const callId = z.string().min(1).max(200).refine(withoutNul);
export const mode = z.enum(['plan', 'ask', 'agent', 'autopilot']);
export const dialect = z.enum(['openai-chat', 'openai-responses']);

export function line(max: number) {
  return z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => !/\p{Cc}/u.test(text), 'No control characters.');
}
export function text(max: number) {
  return z.string().min(1).max(max).refine(withoutNul, 'No NUL characters.');
}
export const httpUrl = z
  .url({ protocol: /^https?$/ })
  .max(500)
  .refine((url) => !new URL(url).username && !new URL(url).password, 'No user or password in the address.');
/** Workspace-relative, or under /workspace; the sandbox confines it. */
export const path = z.string().max(4_096).refine(withoutNul, 'No NUL characters.');

/** A message is one event, and an event is at most 64 KiB as it is stored. */
export const messageText = text(60_000).refine(
  (message) => new TextEncoder().encode(JSON.stringify(message)).length <= 60_000,
  'A message holds at most 60,000 bytes. Put longer text into a file of the session and name it here.',
);
