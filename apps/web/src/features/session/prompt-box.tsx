'use client';
import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect } from 'react';

type PromptProps = {
  text: string;
  onText: (text: string) => void;
  onSend: () => void;
  onEscape?: () => void;
  placeholder: string;
  label: string;
  disabled?: boolean;
  box: RefObject<HTMLTextAreaElement | null>;
  children: ReactNode;
};

/** The one place where people write: grows with its text, Enter sends, Shift+Enter breaks the line. */
export function PromptBox({
  text,
  onText,
  onSend,
  onEscape,
  placeholder,
  label,
  disabled,
  box,
  children,
}: PromptProps) {
  useGrowing(box, text);
  const keys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // While an input method composes, Enter belongs to it.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onEscape?.();
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    onSend();
  };
  return (
    <div className="rounded-lg border border-line-strong bg-surface shadow-[0_1px_2px_rgb(0_0_0/0.04)] transition-colors focus-within:border-accent">
      <textarea
        ref={box}
        rows={1}
        value={text}
        aria-label={label}
        placeholder={placeholder}
        disabled={disabled ?? false}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={keys}
        className="block max-h-[38dvh] min-h-11 w-full resize-none bg-transparent px-3.5 pt-3 pb-1 text-md outline-none placeholder:text-ink-3 disabled:opacity-55"
      />
      <div className="flex items-center gap-0.5 px-1.5 pb-1.5">{children}</div>
    </div>
  );
}

function useGrowing(box: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what changes the height
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [box, text]);
}
