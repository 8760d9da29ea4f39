import type { ResultPart } from '../tool-call.ts';

/** Images for models. */
export type MediaPort = {
  /** The image within `mediaLimits`: itself where it is, a smaller one where it can be made; null where it cannot. */
  shrink(part: ResultPart): Promise<ResultPart | null>;
};
