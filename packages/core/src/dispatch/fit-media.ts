import type { MediaPort } from '../contract/ports.ts';
import type { ResultPart } from '../contract/tool-call.ts';

type FittedMedia = { parts: ResultPart[]; warnings: string[] };

/**
 * Images as a model can be sent them, before they are stored, so that every later request holds the same bytes. One
 * that cannot be made smaller stays as it is; the request then says why it was left out.
 */
export async function fitMedia(parts: readonly ResultPart[], media: MediaPort | undefined): Promise<FittedMedia> {
  const fitted: FittedMedia = { parts: [], warnings: [] };
  for (const part of parts) {
    const fit = (await media?.shrink(part)) ?? part;
    fitted.parts.push(fit);
    if (fit !== part)
      fitted.warnings.push('an image was too large for models and was scaled down; details may be gone');
  }
  return fitted;
}
