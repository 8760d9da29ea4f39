import type { CatalogPort } from './catalog.ts';
import type { Processes, Shell } from './commands.ts';
import type { FileReader, FileWriter, GitReader } from './files.ts';
import type { HttpClient, ModelPort, Summaries } from './network.ts';
import type { EnvelopeStore } from './outputs.ts';
import type { Todos, UserPrompt } from './people.ts';

/** The ports each capability unlocks in a tool's context. A capability that is not listed unlocks nothing. */
export type CapabilityPorts = {
  read_only: { files: FileReader; git: GitReader };
  writes_files: { files: FileWriter };
  executes_code: { shell: Shell };
  network: { http: HttpClient };
  spends_tokens: { model: ModelPort };
};

/** Ports a tool asks for by `uses`; they reach nothing outside the session. */
export type UsesPorts = {
  user: { user: UserPrompt };
  todos: { todos: Todos };
  outputs: { outputs: EnvelopeStore };
  catalog: { catalog: CatalogPort };
  processes: { processes: Processes };
  summaries: { summaries: Summaries };
};
export type Use = keyof UsesPorts;

/** Everything a tool's context may hold, each port present only where it was declared. */
export type PortSet = {
  files?: FileReader | FileWriter;
  git?: GitReader;
  shell?: Shell;
  http?: HttpClient;
  model?: ModelPort;
  user?: UserPrompt;
  todos?: Todos;
  outputs?: EnvelopeStore;
  catalog?: CatalogPort;
  processes?: Processes;
  summaries?: Summaries;
};
