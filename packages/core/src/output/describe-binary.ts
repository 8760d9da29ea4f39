/** How many bytes at the start decide whether a stream is text. */
export const sniffBytes = 8_000;

/** Source: the file signatures each format's specification begins with. Latin1 text, one character a byte. */
const signatures: readonly (readonly [start: string, kind: string])[] = [
  ['\x89PNG\r\n', 'PNG image'],
  ['\xff\xd8\xff', 'JPEG image'],
  ['GIF8', 'GIF image'],
  ['RIFF', 'RIFF container'],
  ['%PDF-', 'PDF document'],
  ['PK\x03\x04', 'ZIP archive'],
  ['\x1f\x8b', 'gzip data'],
  ['BZh', 'bzip2 data'],
  ['\xfd7zXZ', 'xz data'],
  ['\x28\xb5\x2f\xfd', 'zstd data'],
  ['\x7fELF', 'ELF program'],
  ['\x00asm', 'WebAssembly module'],
  ['SQLite format 3\x00', 'SQLite database'],
  ['ID3', 'MP3 audio'],
  ['OggS', 'Ogg stream'],
];

/** A NUL near the start marks bytes that are no text; null where they are. */
export function binaryKind(start: string): string | null {
  if (!start.slice(0, sniffBytes).includes('\0')) return null;
  return signatures.find(([signature]) => start.startsWith(signature))?.[1] ?? 'binary data';
}
