import type { JsonValue } from '../contract/json.ts';
import { ToolError } from '../errors.ts';
import { readJsonPath } from './read-json-path.ts';
import type { PlainOutput } from './render-result.ts';
import { type StoredSource, shownText, wholeCharacters } from './stored-source.ts';

const jsonCap = 8 * 1024 * 1024;

/** The part of a stored value that a path names, as JSON; one that is longer than a page is cut and says how to narrow it. */
export async function readStoredJson(path: string, pageBytes: number, source: StoredSource): Promise<PlainOutput> {
  const found = JSON.stringify(readJsonPath(await parseStored(source), path), null, 1) ?? 'null';
  const bytes = Buffer.from(found).toString('latin1');
  const data = { ref: source.info.ref, mode: 'json' };
  if (bytes.length <= pageBytes) return { content: found, data };
  const page = wholeCharacters(bytes.slice(0, pageBytes), false);
  return {
    content: Buffer.from(page, 'latin1').toString('utf8'),
    data,
    footer: `the first ${page.length} of ${bytes.length} bytes; name less, such as ${path}[0:20], or count with ${path}.length()`,
  };
}

async function parseStored({ info, read }: StoredSource): Promise<JsonValue> {
  if (info.bytes > jsonCap)
    throw new ToolError('too_large', `${info.bytes} bytes are more than the ${jsonCap} that are read as JSON.`, {
      next: 'Use mode search or bytes.',
    });
  try {
    return JSON.parse(shownText(await read(0, info.bytes)));
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
    throw new ToolError('invalid_input', 'The stored output is no JSON.', { next: 'Use mode lines or search.', cause });
  }
}
