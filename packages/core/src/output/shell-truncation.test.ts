import { describe, expect, it } from 'vitest';
import { type ShellOutput, scoreShellOutput } from '../../test/scores/score-shell-outputs.ts';
import { ownCases } from '../testing/read-cases.ts';

describe('cases/core/shell_truncation.json', () => {
  it.each(ownCases<ShellOutput>('core/shell_truncation.json'))('$id', async (row) => {
    expect((await scoreShellOutput(row)).failure).toBeNull();
  });
});
