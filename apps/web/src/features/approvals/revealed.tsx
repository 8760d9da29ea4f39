import { useMemo } from 'react';
import { cn } from '../../ui/class-names.ts';
import { revealText } from './reveal-text.ts';

/** Text from outside as it truly is: what has no picture is written out and marked. */
export function Revealed({ text, className }: { text: string; className?: string }) {
  const segments = useMemo(() => revealText(text), [text]);
  return (
    <span dir="ltr" className={cn('[overflow-wrap:anywhere] [unicode-bidi:plaintext] whitespace-pre-wrap', className)}>
      {segments.map((segment, index) =>
        segment.kind === 'plain' ? (
          segment.text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: segments have no other name
          <mark key={index} className="rounded-[3px] bg-bad-soft px-0.5 text-bad">
            {segment.text}
          </mark>
        ),
      )}
    </span>
  );
}
