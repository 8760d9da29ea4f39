/** The scripted model server is plain JavaScript of its own; this is its shape as the tests use it. */
export type ScriptedReport = {
  mainRequests: number;
  requests: {
    kind: string;
    bytes: number;
    appendOnly?: boolean;
    /** Milliseconds of one clock: the request's headers were here, the last byte of the answer left. */
    tHeaders?: number;
    tLast?: number;
    overhead?: number;
    afterTag?: string | null;
    itemCount?: number;
    results?: { id: string; text: string; bytes: number }[];
  }[];
};
export type ScriptedModel = {
  url(id: string | null, suffix?: string): string;
  load(id: string, script: object): void;
  report(id: string): ScriptedReport;
  close(): Promise<void>;
};

const folder = new URL('../../../../bench/scripted-model/', import.meta.url);

export async function startScriptedModel(): Promise<ScriptedModel> {
  const module = await import(new URL('server.mjs', folder).href);
  return module.createScriptedModel();
}

/** `cwd` is the workspace as the session sees it. */
export async function makeScript(name: string, cwd: string): Promise<object> {
  const module = await import(new URL('scenarios.mjs', folder).href);
  return module.makeScript(name, { cwd });
}

export async function faultNames(): Promise<string[]> {
  const module = await import(new URL('scenarios.mjs', folder).href);
  return Object.keys(module.FAULTS);
}

export async function makeWorkspace(path: string, options: { git: boolean }): Promise<void> {
  const module = await import(new URL('scenarios.mjs', folder).href);
  module.makeWorkspace(path, options);
}

/** Our tools behind the script's three operations. */
export const oneslotAdapter = {
  read: { name: 'read_file', args: { path: '{{path}}' } },
  shell: { name: 'run_command', args: { command: '{{command}}' } },
  edit: { name: 'edit_file', args: { path: '{{path}}', old_string: '{{before}}', new_string: '{{after}}' } },
};
