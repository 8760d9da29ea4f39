'use client';
import { PageError } from '../../features/shell/page-error.tsx';

export default function AppError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return <PageError error={error} reset={reset} />;
}
