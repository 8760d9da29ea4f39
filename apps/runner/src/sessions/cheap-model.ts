import { estimateTokens, type ModelClient, type ModelDelta, type ModelPort } from '@oneslot/core';
import type { ModelChooser } from '../models/choose-model.ts';
import type { ModelStore } from '../store/contract.ts';
import type { SessionLog } from './session-log.ts';

export type CheapModelDeps = {
  models: Pick<ModelChooser, 'list' | 'open'>;
  settings: Pick<ModelStore, 'cheapModel'>;
  /** What it uses counts to the session. */
  log: Pick<SessionLog, 'post'>;
};
type Usage = Omit<Extract<ModelDelta, { kind: 'usage' }>, 'kind'>;

const system = 'You are asked for one text and answer with it alone. You have no tools.';

/** The model an organization named for summaries; null where it named none, or one that is gone since. */
export async function findCheapModel(deps: CheapModelDeps, organizationId: string): Promise<ModelPort | null> {
  const id = await deps.settings.cheapModel(organizationId);
  if (id === null) return null;
  const found = (await deps.models.list(organizationId)).find((model) => model.id === id && !model.offline);
  if (!found) return null;
  return {
    name: found.name,
    async complete(prompt, { maxTokens, signal }) {
      return ask(await deps.models.open(organizationId, id), { prompt, maxTokens, signal }, deps.log);
    },
  };
}

type Request = { prompt: string; maxTokens: number; signal: AbortSignal };

async function ask(client: ModelClient, { prompt, maxTokens, signal }: Request, log: CheapModelDeps['log']) {
  const enough = new AbortController();
  const request = { system, tools: [], transcript: [{ kind: 'user' as const, text: prompt }] };
  let text = '';
  let told: Usage | null = null;
  try {
    for await (const delta of client.stream(request, AbortSignal.any([signal, enough.signal]))) {
      if (delta.kind === 'usage') told = delta;
      if (delta.kind !== 'text') continue;
      text += delta.text;
      // Providers differ in whether and how they take a limit; here it holds for all of them.
      if (text.length > maxTokens && estimateTokens(text) > maxTokens) break;
    }
    return text;
  } finally {
    enough.abort();
    // A provider that was cut off, or tells nothing, has worked all the same.
    const { inputTokens, cachedTokens, outputTokens } = told ?? estimated(prompt, text);
    log.post({ kind: 'usage-recorded', modelId: client.id, inputTokens, cachedTokens, outputTokens });
  }
}

function estimated(prompt: string, text: string): Usage {
  return { inputTokens: estimateTokens(`${system}${prompt}`), cachedTokens: 0, outputTokens: estimateTokens(text) };
}
