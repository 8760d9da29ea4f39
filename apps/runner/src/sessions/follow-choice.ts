import type { ModelClient } from '@oneslot/core';
import type { SessionState } from '../store/contract.ts';

export type Choice = {
  /** Stands for whichever model is chosen. */
  readonly model: ModelClient;
  /** Before each request: the model people chose last answers it, also within a running turn. */
  follow(): Promise<ModelClient>;
};

export async function followChoice(
  session: { readonly state: SessionState },
  open: (state: SessionState) => Promise<ModelClient>,
): Promise<Choice> {
  let chosen = session.state.modelId;
  let client = await open(session.state);
  return {
    model: {
      get id() {
        return client.id;
      },
      get dialect() {
        return client.dialect ?? 'plain';
      },
      stream: (request, signal) => client.stream(request, signal),
    },
    async follow() {
      const { state } = session;
      if (state.modelId === chosen) return client;
      client = await open(state);
      chosen = state.modelId;
      return client;
    },
  };
}
