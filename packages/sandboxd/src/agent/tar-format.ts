import { AgentError } from '../agent-error.ts';

/** Source: POSIX.1-2017, pax interchange format and the ustar header it extends. */
export const blockBytes = 512;
export type TarKind = 'file' | 'directory' | 'link' | 'hard-link' | 'other';
export type TarHeader = {
  path: string;
  kind: TarKind;
  sizeBytes: number;
  mode: number;
  mtimeMs: number;
  linkTarget: string;
};

const flags: Record<string, TarKind> = {
  '0': 'file',
  '\0': 'file',
  '7': 'file',
  '5': 'directory',
  '2': 'link',
  '1': 'hard-link',
};

export type RawHeader = TarHeader & { flag: string };

/** @throws AgentError invalid_input when the block is no header */
export function readHeader(block: Buffer): RawHeader {
  const stored = readOctal(block, 148, 8);
  let sum = 0;
  for (let at = 0; at < blockBytes; at += 1) sum += at >= 148 && at < 156 ? 32 : (block[at] ?? 0);
  if (sum !== stored)
    throw new AgentError('invalid_input', 'The archive is damaged: a header has the wrong checksum.', {
      next: 'Send an uncompressed tar.',
    });
  const flag = String.fromCharCode(block[156] ?? 0);
  const prefix = block.toString('latin1', 257, 262) === 'ustar' ? readText(block, 345, 155) : '';
  const name = readText(block, 0, 100);
  return {
    path: prefix === '' ? name : `${prefix}/${name}`,
    flag,
    kind: flags[flag] ?? 'other',
    sizeBytes: readOctal(block, 124, 12),
    mode: readOctal(block, 100, 8),
    mtimeMs: readOctal(block, 136, 12) * 1_000,
    linkTarget: readText(block, 157, 100),
  };
}

function readText(block: Buffer, start: number, length: number): string {
  const field = block.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? length : end);
}

function readOctal(block: Buffer, start: number, length: number): number {
  const first = block[start] ?? 0;
  if (first & 0x80) {
    let value = first & 0x7f;
    for (let at = start + 1; at < start + length; at += 1) value = value * 256 + (block[at] ?? 0);
    return Number.isSafeInteger(value) ? value : Number.MAX_SAFE_INTEGER;
  }
  const digits = readText(block, start, length).trim();
  const value = digits === '' ? 0 : Number.parseInt(digits, 8);
  return Number.isNaN(value) ? 0 : value;
}

/** Records of a pax extended header: `length key=value\n`. */
export function readPax(bytes: Buffer): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at);
    const length = Number.parseInt(bytes.toString('latin1', at, space), 10);
    if (space === -1 || !(length > 0) || at + length > bytes.length) break;
    const record = bytes.toString('utf8', space + 1, at + length - 1);
    const equals = record.indexOf('=');
    if (equals > 0) records.set(record.slice(0, equals), record.slice(equals + 1));
    at += length;
  }
  return records;
}

/** Header blocks of one entry; what does not fit a ustar field goes before it as pax. */
export function writeHeader(header: TarHeader): Buffer {
  const records: string[] = [];
  if (Buffer.byteLength(header.path) > 100) records.push(paxRecord('path', header.path));
  if (Buffer.byteLength(header.linkTarget) > 100) records.push(paxRecord('linkpath', header.linkTarget));
  if (header.sizeBytes > 0o77777777777) records.push(paxRecord('size', String(header.sizeBytes)));
  const own = headerBlock(header, header.kind === 'directory' ? '5' : header.kind === 'link' ? '2' : '0');
  if (records.length === 0) return own;
  const body = Buffer.from(records.join(''), 'utf8');
  const pax = headerBlock({ ...header, path: 'pax', linkTarget: '', sizeBytes: body.length }, 'x');
  return Buffer.concat([pax, body, padding(body.length), own]);
}

function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  let length = bytes + String(bytes).length;
  length = bytes + String(length).length;
  return `${length}${rest}`;
}

function headerBlock(header: TarHeader, flag: string): Buffer {
  const block = Buffer.alloc(blockBytes);
  Buffer.from(header.path, 'utf8').copy(block, 0, 0, 100);
  writeOctal(block, header.mode & 0o7777, 100, 8);
  writeOctal(block, 0, 108, 8);
  writeOctal(block, 0, 116, 8);
  writeOctal(block, Math.min(header.sizeBytes, 0o77777777777), 124, 12);
  writeOctal(block, Math.max(0, Math.floor(header.mtimeMs / 1_000)), 136, 12);
  block.fill(' ', 148, 156);
  block.write(flag, 156, 'latin1');
  Buffer.from(header.linkTarget, 'utf8').copy(block, 157, 0, 100);
  block.write('ustar\0' + '00', 257, 'latin1');
  let sum = 0;
  for (const byte of block) sum += byte;
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

function writeOctal(block: Buffer, value: number, start: number, length: number): void {
  block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, start, 'latin1');
}

export function padding(sizeBytes: number): Buffer {
  return Buffer.alloc((blockBytes - (sizeBytes % blockBytes)) % blockBytes);
}
