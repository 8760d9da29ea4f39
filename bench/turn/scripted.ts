import type { EventEmitter } from 'node:events';

/** The measuring kit is plain JavaScript; these are the parts of it used here. */
export type Request = {
  kind: string;
  afterTag?: string | null;
  overhead?: number | null;
  appendOnly?: boolean;
  last?: boolean;
};
export type Report = { requests: Request[]; wallMs: number; streamMs: number };
export type Model = {
  url: (id: string | null, suffix?: string) => string;
  load: (id: string, script: object) => EventEmitter;
  report: (id: string) => Report;
  drop: (id: string) => void;
  close: () => Promise<void>;
};
export type Kit = {
  model: Model;
  makeScript: (name: string, context: { cwd: string }) => object;
  makeWorkspace: (folder: string) => string;
  converse: (
    model: Model,
    scenario: string,
    options: { root: string; timeoutMs: number },
  ) => Promise<Report & { complete: boolean }>;
};

export async function openKit(): Promise<Kit> {
  const [server, scenarios, drive] = await Promise.all(
    ['server', 'scenarios', 'drive'].map(
      (name) => import(new URL(`../scripted-model/${name}.mjs`, import.meta.url).href),
    ),
  );
  const { makeScript, makeWorkspace } = scenarios;
  return { model: await server.createScriptedModel(), makeScript, makeWorkspace, converse: drive.converse };
}

/** The script's operations as our tools. */
export const adapter = {
  read: { name: 'read_file', args: { path: '{{path}}' } },
  shell: { name: 'run_command', args: { command: '{{command}}' } },
  edit: { name: 'edit_file', args: { path: '{{path}}', old_string: '{{before}}', new_string: '{{after}}' } },
};
