import 'server-only';

/** Where the web server reaches the runner. The browser never sees it: it talks to its own origin. */
export const runnerUrl = (): string => process.env.ONESLOT_RUNNER_URL ?? 'http://127.0.0.1:3000';
