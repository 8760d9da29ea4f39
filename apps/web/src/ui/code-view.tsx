'use client';
import { useEffect, useState } from 'react';
import { cn } from './class-names.ts';
import { highlight, languageOf, type Token } from './highlight.ts';

/** Above this, colours cost more than they give. */
const limitCharacters = 120_000;

/** Text in monospace, as wide as it is: whoever shows it decides how it scrolls. Colours come when they are ready, the text never waits for them. */
export function CodeView({
  code,
  language,
  numbers = false,
  firstLine = 1,
  className,
}: {
  code: string;
  language: string | null;
  numbers?: boolean;
  firstLine?: number;
  className?: string;
}) {
  const tokens = useTokens(code, language);
  const lines: Token[][] = tokens ?? code.split('\n').map((text) => [{ text, color: undefined }]);
  const width = `${String(firstLine + lines.length).length + 1}ch`;
  return (
    <pre className={cn('w-max min-w-full font-mono text-xs leading-[19px]', className)}>
      <code>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
          <span key={index} className="flex">
            {numbers && (
              <span aria-hidden="true" className="mr-4 shrink-0 text-right text-ink-3 select-none" style={{ width }}>
                {firstLine + index}
              </span>
            )}
            <span className="min-w-0 whitespace-pre">
              {line.map((token, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no other name
                <span key={place} style={token.color ? { color: token.color } : undefined}>
                  {token.text}
                </span>
              ))}
              {'\n'}
            </span>
          </span>
        ))}
      </code>
    </pre>
  );
}

function useTokens(code: string, name: string | null): Token[][] | null {
  const [state, setState] = useState<{ code: string; tokens: Token[][] } | null>(null);
  const language = name ? languageOf(name) : null;
  useEffect(() => {
    if (!language || code.length > limitCharacters) return;
    let stale = false;
    highlight(code, language).then(
      (tokens) => !stale && setState({ code, tokens }),
      // Plain text stays on the page: a grammar that would not load takes only the colours away.
      () => !stale && setState(null),
    );
    return () => {
      stale = true;
    };
  }, [code, language]);
  return state?.code === code ? state.tokens : null;
}
