'use client';
import { useTranslations } from 'next-intl';
import { type ComponentProps, isValidElement, memo, type ReactNode } from 'react';
import { type Components, Streamdown } from 'streamdown';
import { CodeView } from './code-view.tsx';
import { CopyButton } from './copy-button.tsx';
import { InertImage, InertLink } from './inert-link.tsx';
import { ScrollArea } from './scroll-area.tsx';

/** The model's prose. Plain elements styled by `.prose`; links and pictures stay inert. */
export const Markdown = memo(function Markdown({ text, streaming }: { text: string; streaming: boolean }) {
  return (
    <Streamdown
      className="prose"
      mode={streaming ? 'streaming' : 'static'}
      components={components}
      controls={false}
      linkSafety={{ enabled: false }}
    >
      {text}
    </Streamdown>
  );
});

const plain = {
  h1: 'h2',
  h2: 'h3',
  h3: 'h4',
  h4: 'h5',
  h5: 'h6',
  h6: 'h6',
  ul: 'ul',
  ol: 'ol',
  li: 'li',
  p: 'p',
  strong: 'strong',
  blockquote: 'blockquote',
  hr: 'hr',
  thead: 'thead',
  tbody: 'tbody',
  tr: 'tr',
  th: 'th',
  td: 'td',
} as const;

const components: Components = {
  ...plain,
  a: ({ href, children }) => <InertLink href={href}>{children}</InertLink>,
  img: ({ src, alt }) => <InertImage src={typeof src === 'string' ? src : undefined} alt={alt} />,
  code: ({ children }) => (
    <code className="rounded-[4px] bg-sunken px-1 py-px font-mono text-[0.86em]">{children}</code>
  ),
  pre: ({ children }) => <Block>{children}</Block>,
  table: ({ children }) => (
    <div className="overflow-x-auto">
      <table>{children}</table>
    </div>
  ),
  input: (props) => <TaskBox {...props} />,
};

function TaskBox({ checked }: ComponentProps<'input'>) {
  const t = useTranslations('ui');
  return (
    <input
      type="checkbox"
      checked={checked ?? false}
      readOnly
      disabled
      aria-label={t(checked ? 'taskDone' : 'taskOpen')}
      className="mr-1.5 accent-accent"
    />
  );
}

function Block({ children }: { children: ReactNode }) {
  const t = useTranslations('ui');
  const props = isValidElement<{ className?: string; children?: ReactNode }>(children) ? children.props : null;
  const code = textOf(props ? props.children : children).replace(/\n$/, '');
  const language = /language-([\w+-]+)/.exec(props?.className ?? '')?.[1] ?? null;
  return (
    <div className="overflow-hidden rounded-md border border-line bg-surface">
      <div className="flex h-8 items-center justify-between border-b border-line pr-1 pl-3 text-2xs text-ink-3">
        {language ?? t('plainText')}
        <CopyButton text={code} label={t('copy')} doneLabel={t('copied')} />
      </div>
      <ScrollArea label={language ?? t('plainText')} className="overflow-x-auto">
        <CodeView code={code} language={language} className="px-3 py-2.5" />
      </ScrollArea>
    </div>
  );
}

function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map((one: ReactNode) => textOf(one)).join('');
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : '';
}
