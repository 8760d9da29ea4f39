'use client';
import { useTranslations } from 'next-intl';
import { Chip } from '../../ui/chip.tsx';
import type { RequestFact } from './view-model.ts';

const shownTurns = 20;
const hashChars = 12;
/** In the order of the request. */
const parts = ['tools', 'system', 'messages'] as const;

/** Whether what providers cache of the conversation only grew, turn by turn; newest first. */
export function RequestFacts({ requests }: { requests: readonly RequestFact[] }) {
  const t = useTranslations('details');
  const turns = byTurn(requests);
  if (turns.length === 0) return <p className="text-sm text-ink-3">{t('noRequests')}</p>;
  return (
    <ul className="text-sm">
      {turns.slice(0, shownTurns).map(({ place, steps, last, broken }) => (
        <li key={last.turnId} className="border-b border-line py-1.5 last:border-0">
          <p className="flex items-baseline gap-2">
            <span className="flex-1">{t('turnRequests', { place, count: steps })}</span>
            <Chip tone={broken > 0 ? 'bad' : 'ok'}>
              {broken > 0 ? t('prefixBroken', { count: broken }) : t('prefixWhole')}
            </Chip>
          </p>
          <p className="text-xs text-ink-3 tabular-nums">
            {t('requestSize', { tools: last.tools, kilobytes: Math.ceil(last.bytes / 1024) })}
          </p>
          <details className="text-xs text-ink-3">
            <summary className="cursor-pointer">
              {t('prefix')} <span className="font-mono">{lastHash(last.prefixHash).slice(0, hashChars)}</span>
            </summary>
            <dl className="mt-1 font-mono text-2xs [overflow-wrap:anywhere]">
              {parts.map((part, index) => (
                <div key={part}>
                  <dt className="font-sans text-ink-2">{t(`prefixPart.${part}`)}</dt>
                  <dd>{last.prefixHash.split('/')[index]}</dd>
                </div>
              ))}
            </dl>
          </details>
        </li>
      ))}
    </ul>
  );
}

type TurnRequests = { place: number; steps: number; broken: number; last: RequestFact };

function byTurn(requests: readonly RequestFact[]): TurnRequests[] {
  const turns = new Map<string, TurnRequests>();
  for (const request of requests) {
    const before = turns.get(request.turnId) ?? { place: turns.size + 1, steps: 0, broken: 0 };
    const broken = before.broken + (request.appendOnly ? 0 : 1);
    turns.set(request.turnId, { place: before.place, steps: before.steps + 1, broken, last: request });
  }
  return [...turns.values()].reverse();
}

/** The hash over the messages covers what grew last. */
function lastHash(prefix: string): string {
  return prefix.split('/').at(-1)?.split(':').at(-1) ?? prefix;
}
