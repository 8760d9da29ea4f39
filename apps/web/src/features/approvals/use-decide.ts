'use client';
import { useMutation } from '@tanstack/react-query';
import { useTRPCClient } from '../../trpc/client.ts';
import type { Request } from './approval-request.tsx';

type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonInput = { [key: string]: JsonValue };
export type Answer =
  | { decision: 'approve_once' }
  | { decision: 'approve_session' }
  | { decision: 'deny'; reason: string }
  | { decision: 'edit'; input: JsonInput };

/** Sends an answer bound to the digest that was shown. The page's state comes from the row, never from here. */
export function useDecide({ approvalId, digest }: Pick<Request, 'approvalId' | 'digest'>) {
  const api = useTRPCClient();
  return useMutation({
    mutationFn: (answer: Answer) =>
      api.approvals.decide.mutate({
        approvalId,
        digest,
        decision: answer.decision,
        ...(answer.decision === 'deny' && answer.reason !== '' ? { reason: answer.reason } : {}),
        ...(answer.decision === 'edit' ? { input: answer.input } : {}),
      }),
  });
}

/** The edited text as an input, or what is wrong with it. */
export function parseInput(text: string): { input: JsonInput } | { problem: 'syntax' | 'object'; detail: string } {
  try {
    const value: unknown = JSON.parse(text);
    return isInput(value) ? { input: value } : { problem: 'object', detail: '' };
  } catch (error) {
    return { problem: 'syntax', detail: error instanceof Error ? error.message : '' };
  }
}

/** Everything JSON.parse returns is JSON; only the root has to be looked at. */
const isInput = (value: unknown): value is JsonInput =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
