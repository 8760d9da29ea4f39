import type { JsonObject } from '../contract/json.ts';
import type { EnvelopeStore } from '../contract/ports.ts';
import type { ToolSpec } from '../contract/tool-spec.ts';
import { ToolError } from '../errors.ts';
import { openStored } from './stored-source.ts';

/** The input as the tool takes it: the text of the stored output where a ref stood, whole and byte for byte. @throws ToolError */
export async function resolveInputRef(
  spec: Pick<ToolSpec, 'name' | 'inputRef'>,
  input: JsonObject,
  store: EnvelopeStore,
): Promise<JsonObject> {
  const ref = inputRefOf(spec, input);
  if (ref === null || !spec.inputRef) return input;
  const { into, limitBytes } = spec.inputRef;
  const { info, read } = await openStored(ref, store);
  if (info.bytes > limitBytes) {
    throw new ToolError(
      'too_large',
      `The stored output ${ref} has ${info.bytes} bytes; ${spec.name} takes ${limitBytes}.`,
      {
        next: 'Read the part that is needed with retrieve_tool_result and pass that as text.',
      },
    );
  }
  return { ...input, [into]: decode(ref, Buffer.from(await read(0, info.bytes), 'latin1')) };
}

/** The ref an input names in place of text; null where it names none or the tool takes none. */
export function inputRefOf({ inputRef }: Pick<ToolSpec, 'inputRef'>, input: JsonObject): string | null {
  return inputRef && typeof input.input_ref === 'string' ? input.input_ref : null;
}

function decode(ref: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new ToolError('binary_file', `The stored output ${ref} is no UTF-8 text (${bytes.length} bytes).`, {
      next: 'Make the file with run_command instead.',
      cause,
    });
  }
}
