'use client';
import { ExternalLink } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';

const openable = /^(?:https?:|mailto:)/i;

/** A link somebody else wrote: the first click shows where it goes, only the second opens it. */
export function InertLink({ href, children }: { href?: string | undefined; children?: ReactNode }) {
  const t = useTranslations('ui');
  const [open, setOpen] = useState(false);
  return (
    <span>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="text-accent underline decoration-dotted underline-offset-3"
      >
        {children}
      </button>
      {open && (
        <span className="ml-1.5 inline-flex max-w-full items-center gap-1.5 rounded-sm bg-sunken px-1.5 align-baseline font-mono text-xs text-ink-2">
          <span className="[overflow-wrap:anywhere]">{href ?? ''}</span>
          {href && openable.test(href) && (
            <a
              href={href}
              target="_blank"
              rel="noopener noreferrer nofollow"
              className="inline-flex shrink-0 items-center gap-1 font-sans font-medium text-accent"
            >
              {t('openLink')}
              <ExternalLink aria-hidden="true" className="size-3" />
            </a>
          )}
        </span>
      )}
    </span>
  );
}

/** Pictures of the model are never fetched: an address can carry data out. */
export function InertImage({ src, alt }: { src?: string | undefined; alt?: string | undefined }) {
  const t = useTranslations('ui');
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-1.5 rounded-sm border border-line border-dashed px-2 py-0.5 text-xs text-ink-2">
      {t('imageNotLoaded')} <InertLink href={src}>{alt || src || ''}</InertLink>
    </span>
  );
}
