import type { JsonObject } from '../contract/json.ts';

/** Names by which peers call a tool of ours. They are accepted at dispatch and never advertised. */
export type Alias = {
  names: readonly string[];
  tool: string;
  /** Peer's field to ours. */
  fields?: Readonly<Record<string, string>>;
  /** Fields one of the names implies. */
  implies?: Readonly<Record<string, JsonObject>>;
  /** Only where the input has (true) or lacks (false) this field; told apart for names two tools share. */
  onlyWith?: { names: readonly string[]; field: string; present: boolean };
  /** Numbers below 1,000 in these fields of ours are seconds. */
  seconds?: readonly string[];
};

const pathField = { file_path: 'path' };

export const aliases: readonly Alias[] = [
  {
    names: ['Read', 'view', 'open_file', 'cat'],
    tool: 'read_file',
    fields: { ...pathField, offset: 'start_line', limit: 'max_lines' },
  },
  {
    names: ['Write', 'write_to_file', 'create_file'],
    tool: 'write_file',
    fields: { ...pathField, contents: 'content' },
  },
  {
    names: ['Edit', 'MultiEdit', 'replace', 'replace_in_file', 'str_replace', 'str_replace_editor'],
    tool: 'edit_file',
    fields: {
      ...pathField,
      search: 'old_string',
      old_str: 'old_string',
      replace: 'new_string',
      new_str: 'new_string',
      replacement: 'new_string',
      allow_multiple: 'replace_all',
    },
  },
  { names: ['LS', 'list_directory', 'list_files'], tool: 'list_dir', fields: { dir_path: 'path' } },
  {
    names: ['Glob', 'glob', 'file_search', 'search_files'],
    tool: 'find_files',
    fields: { dir_path: 'path' },
    onlyWith: { names: ['search_files'], field: 'regex', present: false },
  },
  {
    names: ['Grep', 'grep', 'grep_search', 'rg', 'search_files'],
    tool: 'grep_files',
    fields: {
      dir_path: 'path',
      regex: 'pattern',
      file_pattern: 'glob',
      include_pattern: 'glob',
      '-i': 'ignore_case',
      head_limit: 'limit',
      output_mode: 'output',
    },
    onlyWith: { names: ['search_files'], field: 'regex', present: true },
  },
  {
    names: ['Bash', 'shell', 'exec_command', 'execute_command', 'run_shell_command', 'exec_shell', 'execute_bash'],
    tool: 'run_command',
    fields: { cmd: 'command', timeout: 'timeout_ms', run_in_background: 'background', is_background: 'background' },
    seconds: ['timeout_ms'],
  },
  {
    names: ['BashOutput', 'exec_shell_wait', 'task_shell_wait'],
    tool: 'command_poll',
    fields: { bash_id: 'process_id', task_id: 'process_id' },
  },
  { names: ['write_stdin', 'exec_shell_interact'], tool: 'command_input' },
  { names: ['KillShell', 'KillBash', 'exec_shell_cancel'], tool: 'command_stop' },
  { names: ['WebFetch', 'web_fetch'], tool: 'fetch_url', fields: { prompt: 'question' } },
  { names: ['WebSearch', 'google_web_search'], tool: 'web_search' },
  {
    names: ['TodoWrite', 'write_todos', 'checklist_write', 'update_plan'],
    tool: 'todo_write',
    fields: { todos: 'items', plan: 'items', step: 'content' },
  },
  {
    names: ['Task', 'Agent', 'agent_open', 'spawn_agent', 'delegate'],
    tool: 'agent_run',
    fields: { prompt: 'task', subagent_type: 'type', description: 'title' },
  },
  { names: ['AskUserQuestion', 'ask_user_question', 'request_user_input', 'ask_followup_question'], tool: 'ask_user' },
  { names: ['ExitPlanMode', 'exit_plan_mode'], tool: 'submit_plan' },
  { names: ['Skill', 'activate_skill', 'use_skill'], tool: 'load_skill' },
  { names: ['NotebookEdit'], tool: 'notebook_edit' },
  { names: ['read_output', 'handle_read'], tool: 'retrieve_tool_result' },
  { names: ['save_memory'], tool: 'remember' },
  {
    names: [
      'list_mcp_resources',
      'list_mcp_resource_templates',
      'read_mcp_resource',
      'mcp_read_resource',
      'mcp_get_prompt',
    ],
    tool: 'mcp_resource',
    implies: {
      list_mcp_resources: { operation: 'list' },
      list_mcp_resource_templates: { operation: 'templates' },
      read_mcp_resource: { operation: 'read' },
      mcp_read_resource: { operation: 'read' },
      mcp_get_prompt: { operation: 'prompt' },
    },
  },
];

/** The tool a peer's name stands for, exact spelling only; where two share a name the input tells them apart. */
export function findAlias(called: string, input: JsonObject): Alias | null {
  const fits = (alias: Alias) => {
    const { onlyWith } = alias;
    if (!onlyWith?.names.includes(called)) return true;
    return Object.hasOwn(input, onlyWith.field) === onlyWith.present;
  };
  return aliases.find((alias) => alias.names.includes(called) && fits(alias)) ?? null;
}
