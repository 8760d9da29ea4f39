import { defineTool, type TodoItem, type TodoList, ToolError } from '@oneslot/core';
import { z } from 'zod';

const marks = { pending: '[ ]', in_progress: '[~]', completed: '[x]', blocked: '[!]', cancelled: '[-]' } as const;

export default defineTool({
  name: 'todo_write',
  family: 'planning',
  description:
    "Replaces the session's shared to-do list, which people see and edit live. Send the whole list; ids are filled in. " +
    'Keep one item in_progress, mark items completed as soon as they are. Returns the list with marks and ids, ' +
    '"done a of b" and the version; pass base_version to notice changes by others.',
  capabilities: [],
  uses: ['todos'],
  load: 'resident',
  timeoutMs: 5_000,
  input: z.strictObject({
    items: z
      .array(
        z.strictObject({
          id: z.string().min(1).max(40).optional().describe('Absent for a new item'),
          content: z.string().min(1).max(300),
          status: z.enum(['pending', 'in_progress', 'completed', 'blocked', 'cancelled']),
          owner: z.string().min(1).max(80).optional().describe('me, an agent id or a user handle'),
          depends_on: z.array(z.string().max(40)).max(10).optional(),
          note: z.string().min(1).max(500).optional(),
        }),
      )
      .max(100),
    base_version: z.int().min(0).optional().describe('Version this list is based on'),
  }),
  validate: ({ items }) => checkDependencies(withIds(items)),
  title: ({ items }) => `update to-do list (${items.length} items)`,
  execute: async ({ items, base_version }, { todos }) => {
    const list = await todos.replace(withIds(items), base_version ?? null);
    return { content: render(list), data: list, warnings: warningsOf(list) };
  },
});

type InputItem = {
  id?: string | undefined;
  content: string;
  status: TodoItem['status'];
  owner?: string | undefined;
  depends_on?: string[] | undefined;
  note?: string | undefined;
};

function withIds(items: readonly InputItem[]): TodoItem[] {
  const taken = new Set(items.map((item) => item.id).filter((id) => id !== undefined));
  let next = 1;
  return items.map((item) => {
    while (taken.has(`t${next}`)) next++;
    const id = item.id ?? `t${next++}`;
    return {
      id,
      content: item.content,
      status: item.status,
      dependsOn: item.depends_on ?? [],
      ...(item.owner === undefined ? {} : { owner: item.owner }),
      ...(item.note === undefined ? {} : { note: item.note }),
    };
  });
}

/** @throws ToolError invalid_input for doubled ids, unknown dependencies and cycles. */
function checkDependencies(items: readonly TodoItem[]): void {
  const byId = new Map(items.map((item) => [item.id, item]));
  if (byId.size < items.length)
    throw new ToolError('invalid_input', 'Two items share an id.', { next: 'Leave ids out of new items.' });
  for (const item of items) {
    const unknown = item.dependsOn.find((id) => !byId.has(id));
    if (unknown !== undefined)
      throw new ToolError('invalid_input', `Item ${item.id} depends on ${unknown}, which is not in the list.`, {
        next: `Known ids: ${[...byId.keys()].join(', ')}.`,
      });
  }
  const settled = new Set<string>();
  const visit = (id: string, trail: readonly string[]): void => {
    if (settled.has(id)) return;
    if (trail.includes(id))
      throw new ToolError('invalid_input', `Items depend on each other in a circle: ${[...trail, id].join(' → ')}.`, {
        next: 'Remove one of these dependencies.',
      });
    for (const next of byId.get(id)?.dependsOn ?? []) visit(next, [...trail, id]);
    settled.add(id);
  };
  for (const id of byId.keys()) visit(id, []);
}

function render(list: TodoList): string {
  if (list.items.length === 0) return `the list is empty · version ${list.version}`;
  const lines = list.items.map(
    (item) => `${marks[item.status]} ${item.id} ${item.content}${item.owner === undefined ? '' : ` (${item.owner})`}`,
  );
  const done = list.items.filter((item) => item.status === 'completed').length;
  return [...lines, `done ${done} of ${list.items.length} · version ${list.version}`].join('\n');
}

function warningsOf(list: TodoList): string[] {
  const active = new Map<string, number>();
  for (const item of list.items) {
    if (item.status === 'in_progress') active.set(item.owner ?? 'me', (active.get(item.owner ?? 'me') ?? 0) + 1);
  }
  return [...active]
    .filter(([, count]) => count > 1)
    .map(([owner, count]) => `${owner} has ${count} items in_progress; one at a time keeps the list true.`);
}
