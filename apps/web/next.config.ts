import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NextConfig } from 'next';
import createNextIntlPlugin from 'next-intl/plugin';

const repositoryRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const config: NextConfig = {
  output: 'standalone',
  outputFileTracingRoot: repositoryRoot,
  turbopack: { root: repositoryRoot },
  transpilePackages: ['@oneslot/runner'],
  devIndicators: false,
  poweredByHeader: false,
  // The router's type reaches into the whole runner; `pnpm check` walks it once, a start must not.
  typescript: { ignoreBuildErrors: true },
  // Nobody downloads the server's code, and a cache of builds costs a first start more than it saves a later one.
  experimental: { serverMinification: false, turbopackFileSystemCacheForBuild: false },
};

export default createNextIntlPlugin('./src/i18n/request.ts')(config);
