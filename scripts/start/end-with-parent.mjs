// Preloaded into the runner and the web server: when the start script is gone, however it went, they end as well.
import { isMainThread } from 'node:worker_threads';

// Grandchildren may inherit the preload but not the pipe; only the start script's own children watch it.
if (isMainThread && process.env.ONESLOT_START_PID === String(process.ppid)) {
  // Nothing is ever written: the pipe only closes, and the system closes it even after a SIGKILL.
  process.stdin.on('end', endNow).on('error', endNow).resume();
  process.stdin.unref?.();
}

function endNow() {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.exit(1), 5000).unref();
}
