import { type CustomCommand, defineCommand } from 'just-bash';

const programs = [
  'apt',
  'apt-get',
  'bun',
  'cargo',
  'cc',
  'cmake',
  'composer',
  'curl',
  'deno',
  'docker',
  'dotnet',
  'gcc',
  'gem',
  'git',
  'go',
  'gradle',
  'java',
  'javac',
  'make',
  'mvn',
  'node',
  'npm',
  'npx',
  'perl',
  'php',
  'pip',
  'pip3',
  'pnpm',
  'poetry',
  'psql',
  'pytest',
  'python',
  'python3',
  'ruby',
  'rustc',
  'ssh',
  'tsc',
  'uv',
  'wget',
  'yarn',
];

/** Programs people expect and a simulated shell cannot run: each says so, and what brings it. */
export function missingPrograms(): CustomCommand[] {
  return programs.map((name) =>
    defineCommand(name, async () => ({
      stdout: '',
      stderr: `${name}: unavailable in the simulated sandbox, which runs no programs of the machine. Start Oneslot with Docker to use ${name}.\n`,
      exitCode: 127,
    })),
  );
}
