import { type TodoItem, type TodoList, type Todos, ToolError } from '@oneslot/core';
import type { EventLog } from '../sessions/event-log.ts';
import type { SessionLog } from '../sessions/session-log.ts';

/** The shared list is the last `todos-changed` event: people and model write the same log, so neither has a copy to go stale. */
export function createTodos(log: EventLog, own: SessionLog): Todos {
  async function read(): Promise<TodoList> {
    const last = await log.latest(own.sessionId, 'todos-changed');
    return last ? { version: last.version, items: last.items.map(asItem) } : { version: 0, items: [] };
  }
  return {
    read,
    async replace(items, baseVersion) {
      const current = await read();
      if (baseVersion !== null && baseVersion !== current.version) throw changedMeanwhile(current, baseVersion);
      const next = { version: current.version + 1, items: [...items] };
      await own.append([{ kind: 'todos-changed', ...next }]);
      return next;
    },
  };
}

function changedMeanwhile(current: TodoList, baseVersion: number): ToolError {
  const list = JSON.stringify(current.items);
  const why = `The list is at version ${current.version}, not ${baseVersion}: somebody changed it. It is now: ${list}`;
  return new ToolError('conflict', why, { next: `Send the list again with base_version ${current.version}.` });
}

type StoredItem = {
  id: string;
  content: string;
  status: TodoItem['status'];
  dependsOn: string[];
  owner?: string | undefined;
  note?: string | undefined;
};

function asItem({ owner, note, ...item }: StoredItem): TodoItem {
  return { ...item, ...(owner === undefined ? {} : { owner }), ...(note === undefined ? {} : { note }) };
}
