#!/usr/bin/env bash
# Starts the Docker engine in the background where none answers yet, and waits until it does. Needs root.
set -euo pipefail

log=${ONESLOT_ENGINE_LOG:-/var/log/oneslot-dockerd.log}
answers() { docker version --format '{{.Server.Version}}' >/dev/null 2>&1; }
say() { printf 'start-engine: %s\n' "$*"; }

if answers; then
  say "an engine answers already, nothing to do."
  exit 0
fi
[ "$(id -u)" = 0 ] || { say "starting the engine needs root." >&2; exit 1; }
command -v dockerd >/dev/null || { say "dockerd is missing. Install docker.io, then run this again." >&2; exit 1; }

# The pid file of a killed engine stops a new one once its number belongs to somebody else.
pid_file=/var/run/docker.pid
if [ -r "$pid_file" ] && [ "$(cat "/proc/$(cat "$pid_file")/comm" 2>/dev/null)" != dockerd ]; then rm -f "$pid_file"; fi
# setsid: the engine has to outlive the shell that started it.
setsid nohup dockerd >"$log" 2>&1 </dev/null &
for _ in $(seq 1 60); do
  if answers; then
    say "the engine answers; its log is $log."
    exit 0
  fi
  sleep 0.5
done
say "the engine did not answer within 30 s. The end of $log:" >&2
tail -n 20 "$log" >&2
exit 1
