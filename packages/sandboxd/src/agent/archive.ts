import { AgentError } from '../agent-error.ts';
import type { Root } from './confine.ts';
import type { Handlers } from './serve.ts';

export function createArchiveHandlers(_root: Root): Pick<Handlers, 'archive.import' | 'archive.export'> {
  return {
    'archive.import': () => {
      throw new AgentError('unavailable', 'Archives are not built yet.');
    },
    'archive.export': () => {
      throw new AgentError('unavailable', 'Archives are not built yet.');
    },
  };
}
