import { headers } from 'next/headers';
import { getRequestConfig } from 'next-intl/server';
import { me } from '../trpc/server.ts';
import { isLocale, pickLocale } from './locales.ts';

export default getRequestConfig(async () => {
  const chosen = (await me())?.locale;
  const locale = chosen && isLocale(chosen) ? chosen : pickLocale((await headers()).get('accept-language'));
  const messages = (await import(`../messages/${locale}.json`)).default;
  // A fixed zone keeps server and browser from rendering two different days.
  return { locale, messages, timeZone: 'UTC' };
});
