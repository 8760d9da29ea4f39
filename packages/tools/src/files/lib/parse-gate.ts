import { ToolError } from '@oneslot/core';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

/**
 * Refuses a write that would break a file which parses now, or which is new.
 * @throws ToolError parse_regression with line, column and the offending line; the file stays unchanged.
 */
export function guardParse(path: string, before: string | null, after: string): void {
  const language = languageOf(path);
  if (!language) return;
  const fault = firstFault(language, after);
  if (!fault || (before !== null && firstFault(language, before))) return;
  const { line, column, text } = locate(after, fault.offset);
  throw new ToolError(
    'parse_regression',
    `Writing ${path} would break it as ${language}: ${fault.reason} at line ${line}, column ${column}: ${text.slice(0, 200)}`,
    { changed: 'nothing, the file is unchanged', next: 'Correct the text and call the tool again.' },
  );
}

type Language = 'JSON' | 'JSON with comments';

function languageOf(path: string): Language | null {
  const name = path.split('/').at(-1) ?? path;
  // Lock files are written by programs, and ts/js configuration files may hold comments.
  if (/(^|[-.])lock\.json$/.test(name)) return null;
  if (/\.jsonc$/.test(name) || /^(tsconfig|jsconfig)(\..*)?\.json$/.test(name)) return 'JSON with comments';
  return name.endsWith('.json') ? 'JSON' : null;
}

function firstFault(language: Language, text: string): { reason: string; offset: number } | null {
  const faults: ParseError[] = [];
  const lenient = language !== 'JSON';
  parse(text, faults, { disallowComments: !lenient, allowTrailingComma: lenient, allowEmptyContent: lenient });
  const first = faults[0];
  if (!first) return null;
  const words = printParseErrorCode(first.error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return { reason: words, offset: first.offset };
}

function locate(text: string, offset: number): { line: number; column: number; text: string } {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  const end = text.indexOf('\n', offset);
  return {
    line: before.split('\n').length,
    column: offset - start + 1,
    text: text.slice(start, end < 0 ? undefined : end),
  };
}
