import { HostError, type ModelClient, ToolError } from '@oneslot/core';
import type { ModelChooser } from '../models/choose-model.ts';
import type { SessionState } from '../store/contract.ts';

/** A model that is gone fails the turn where people see it, not the drive where only the operator would. */
export async function openModel(models: Pick<ModelChooser, 'open'>, state: SessionState): Promise<ModelClient> {
  try {
    return await models.open(state.organizationId, state.modelId);
  } catch (cause) {
    if (!(cause instanceof HostError)) throw cause;
    // Asked again it would be just as gone.
    const message = [cause.message, cause.next].filter(Boolean).join(' ');
    const failure = new ToolError('unavailable', message, { cause, data: { final: true } });
    return { id: state.modelId ?? 'none', stream: () => failing(failure) };
  }
}

// biome-ignore lint/correctness/useYield: the failure is the whole stream.
async function* failing(error: ToolError): AsyncGenerator<never> {
  throw error;
}
