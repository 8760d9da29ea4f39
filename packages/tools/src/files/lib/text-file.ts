import { ToolError } from '@oneslot/core';

export type TextEncoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be';
/** Text without its byte order mark, and what is needed to write the same bytes back. */
export type TextFile = { text: string; encoding: TextEncoding; eol: '\n' | '\r\n' };

/** @throws ToolError binary_file for bytes that are no text in an encoding we can write back exactly. */
export function decodeText(path: string, bytes: Uint8Array): TextFile {
  const encoding = encodingOf(bytes);
  const label = encoding === 'utf-16le' ? 'utf-16le' : encoding === 'utf-16be' ? 'utf-16be' : 'utf-8';
  let text: string;
  try {
    text = new TextDecoder(label, { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (cause) {
    throw new ToolError('binary_file', `${path} is not valid UTF-8 or UTF-16 text (${bytes.length} bytes).`, {
      next: 'Change other encodings and binary files with run_command.',
      cause,
    });
  }
  if (text.includes('\0')) {
    throw new ToolError('binary_file', `${path} holds NUL bytes, so it is binary (${bytes.length} bytes).`, {
      next: 'Change binary files with run_command.',
    });
  }
  return { text, encoding, eol: majorityEol(text) };
}

export function encodeText(file: Pick<TextFile, 'text' | 'encoding'>): Uint8Array {
  if (file.encoding === 'utf-16le' || file.encoding === 'utf-16be') {
    const bytes = Buffer.from(`\uFEFF${file.text}`, 'utf16le');
    return file.encoding === 'utf-16be' ? bytes.swap16() : bytes;
  }
  return Buffer.from(file.encoding === 'utf-8-bom' ? `\uFEFF${file.text}` : file.text, 'utf8');
}

export function majorityEol(text: string): '\n' | '\r\n' {
  const crlf = text.split('\r\n').length - 1;
  const lf = text.split('\n').length - 1 - crlf;
  return crlf > lf ? '\r\n' : '\n';
}

export function withEol(text: string, eol: '\n' | '\r\n'): string {
  const unix = text.replaceAll('\r\n', '\n');
  return eol === '\n' ? unix : unix.replaceAll('\n', '\r\n');
}

export function countLines(text: string): number {
  if (text === '') return 0;
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

function encodingOf(bytes: Uint8Array): TextEncoding {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8-bom';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}
