const heartbeatMs = 10_000;

/** One line when a step begins, one with its seconds when it is done, and a sign of life every ten seconds between. */
export async function progress<T>(label: string, run: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const seconds = (): string => ((performance.now() - started) / 1000).toFixed(1);
  console.log(`• ${label} …`);
  const timer = setInterval(() => console.log(`  … still ${label} (${Math.round(Number(seconds()))} s)`), heartbeatMs);
  try {
    const value = await run();
    console.log(`✓ ${label} (${seconds()} s)`);
    return value;
  } finally {
    clearInterval(timer);
  }
}
