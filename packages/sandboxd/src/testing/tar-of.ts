import { padding, writeHeader } from '../agent/tar-format.ts';

export type TreeEntry = {
  text?: string;
  bytes?: Uint8Array;
  link?: string;
  mode?: number;
  /** Name as it stands in the archive, however bad. */
  path: string;
};

/** A tar of the given entries, in their order; a path that ends in `/` is a folder. */
export async function* tarOf(entries: readonly TreeEntry[]): AsyncGenerator<Uint8Array> {
  for (const { path, text, bytes, link, mode } of entries) {
    const body = bytes ?? Buffer.from(text ?? '', 'utf8');
    const kind = link !== undefined ? 'link' : path.endsWith('/') ? 'directory' : 'file';
    const sizeBytes = kind === 'file' ? body.length : 0;
    yield writeHeader({
      path,
      kind,
      sizeBytes,
      mode: mode ?? (kind === 'directory' ? 0o755 : 0o644),
      mtimeMs: 1_700_000_000_000,
      linkTarget: link ?? '',
    });
    if (sizeBytes > 0) yield body;
    yield padding(sizeBytes);
  }
  yield Buffer.alloc(1_024);
}
