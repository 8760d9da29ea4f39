import type { ModelClient } from '@oneslot/core';
import type { SessionState } from '../store/contract.ts';

/** Answers each request with the model people chose last, so that a change holds within a running turn. */
export async function followChoice(
  session: { readonly state: SessionState },
  open: (state: SessionState) => Promise<ModelClient>,
): Promise<ModelClient> {
  let chosen = session.state.modelId;
  let client = await open(session.state);
  return {
    get id() {
      return client.id;
    },
    async *stream(request, signal) {
      const { state } = session;
      if (state.modelId !== chosen) {
        client = await open(state);
        chosen = state.modelId;
      }
      yield* client.stream(request, signal);
    },
  };
}
