import { portsOfCapability } from '../contract/capability.ts';
import type { FileReader, FileWriter, PortSet, Shell } from '../contract/ports.ts';
import type { ToolSpec } from '../contract/tool-spec.ts';

/** Only what the spec declared: code that did not declare `executes_code` finds no shell to reach for. */
export function pickPorts(spec: Pick<ToolSpec, 'capabilities' | 'uses'>, all: PortSet): Record<string, unknown> {
  const names = new Set<string>(spec.uses);
  for (const capability of spec.capabilities) for (const port of portsOfCapability[capability]) names.add(port);
  const picked: Record<string, unknown> = {};
  for (const name of names) picked[name] = portNamed(all, name);
  if (all.files && names.has('files') && !spec.capabilities.has('writes_files')) picked.files = readerOf(all.files);
  return picked;
}

function portNamed(all: PortSet, name: string): unknown {
  const ports: Record<string, unknown> = { ...all };
  if (name === 'processes') return all.processes ?? processesOf(all.shell);
  return ports[name];
}

function readerOf(files: FileReader | FileWriter): FileReader {
  return {
    stat: (path) => files.stat(path),
    read: (path, window) => files.read(path, window),
    readLines: (path, window) => files.readLines(path, window),
    list: (request) => files.list(request),
    grep: (request) => files.grep(request),
    find: (request) => files.find(request),
    nearest: (path) => files.nearest(path),
    seen: (path) => files.seen(path),
    markSeen: (path, seen) => files.markSeen(path, seen),
  };
}

/** A tool that watches processes gets no way to start one. */
function processesOf(shell: Shell | undefined): PortSet['processes'] {
  if (!shell) return undefined;
  return {
    list: () => shell.list(),
    poll: (request, signal) => shell.poll(request, signal),
    stop: (processId, signalName) => shell.stop(processId, signalName),
    owns: (processId) => shell.owns(processId),
    whole: (processId) => shell.whole(processId),
  };
}
