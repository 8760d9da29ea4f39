export type Question = {
  id: string;
  header: string;
  question: string;
  options: { label: string; description?: string; recommended?: boolean }[];
  multi: boolean;
  freeText: boolean;
};
export type Answer = { id: string; labels: string[]; freeText: string | null; answeredBy: string; answeredAt: number };
export type UserPrompt = { ask(questions: readonly Question[], signal: AbortSignal): Promise<Answer[]> };
export type TodoStatus = 'pending' | 'in_progress' | 'completed' | 'blocked' | 'cancelled';
export type TodoItem = {
  id: string;
  content: string;
  status: TodoStatus;
  owner?: string;
  dependsOn: string[];
  note?: string;
};
export type TodoList = { version: number; items: TodoItem[] };
export type Todos = {
  read(): Promise<TodoList>;
  /** @throws conflict when `baseVersion` is given and is not the current one; the message holds the current list. */
  replace(items: readonly TodoItem[], baseVersion: number | null): Promise<TodoList>;
};
