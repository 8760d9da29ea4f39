import { type ChildProcess, spawn } from 'node:child_process';
import { Duplex } from 'node:stream';
import type { SandboxExit } from './engine.ts';
import type { RunningAgent } from './folder-engine.ts';

const keptDiagnostics = 2_000;

export type AgentCommand = { program: string; args: readonly string[]; env: Record<string, string>; cwd?: string };

/** A child whose stdin and stdout are the agent's stream; what it says on stderr explains its end. */
export function startAgentProcess({ program, args, env, cwd }: AgentCommand): RunningAgent {
  const child = spawn(program, args, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-keptDiagnostics);
  });
  const stream = Duplex.from({ readable: child.stdout, writable: child.stdin });
  // Whoever reads the stream learns of its end there; an unread error must not end the runner.
  stream.on('error', () => child.kill('SIGKILL'));
  return { stream, kill: () => void child.kill('SIGKILL'), exited: exitOf(child, () => said) };
}

function exitOf(child: ChildProcess, said: () => string): Promise<SandboxExit> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, oom: false, reason: error.message }));
    child.once('close', (code, signal) => {
      const why = signal === null ? `exit code ${code}` : `signal ${signal}`;
      resolve({ code, oom: false, reason: said().trim() === '' ? why : `${why}: ${said().trim()}` });
    });
  });
}
