'use client';
import './globals.css';

/** The last page of all: no provider is above it, so it speaks one language. */
export default function GlobalError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en">
      <body className="grid min-h-dvh place-items-center px-6">
        <title>Oneslot</title>
        <main className="max-w-md text-center">
          <h1 className="text-lg font-semibold">This page could not be shown</h1>
          <p className="mt-1 text-ink-2">
            Your sessions are safe: everything is stored by the runner, not by this page.
          </p>
          <button
            type="button"
            onClick={reset}
            className="mt-4 h-9 rounded-md bg-accent px-4 font-medium text-on-accent"
          >
            Try again
          </button>
          {error.digest && <p className="mt-3 font-mono text-xs text-ink-3">Reference {error.digest}</p>}
        </main>
      </body>
    </html>
  );
}
