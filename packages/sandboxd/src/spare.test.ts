import { describe, expect, it } from 'vitest';
import { Spare } from './spare.ts';

function make() {
  const made: { alive: boolean }[] = [];
  const pending: { action: () => void } = { action: () => undefined };
  const spare = new Spare({
    make: () => {
      const one = { alive: true };
      made.push(one);
      return one;
    },
    usable: ({ alive }) => alive,
    later: (action) => {
      pending.action = action;
    },
  });
  return { spare, made, quiet: () => pending.action() };
}

describe('Spare', () => {
  it('makes nothing before a quiet moment or the first use', () => {
    const { spare, made, quiet } = make();
    expect(made).toHaveLength(0);
    quiet();
    expect(made).toHaveLength(1);
    expect(spare.take()).toBe(made[0]);
    expect(made).toHaveLength(1);
  });

  it('hands out again what came back, and makes no second one for it', () => {
    const { spare, made, quiet } = make();
    for (let round = 0; round < 3; round += 1) {
      const one = spare.take();
      expect(spare.giveBack(one)).toBe(true);
      quiet();
    }
    expect(made).toHaveLength(1);
  });

  it('has another ready while one is away, and then keeps one of both', () => {
    const { spare, made, quiet } = make();
    const away = spare.take();
    quiet();
    expect(made).toHaveLength(2);
    expect(spare.giveBack(away)).toBe(false);
    expect(spare.take()).toBe(made[1]);
  });

  it('replaces one that died while it waited', () => {
    const { spare, made, quiet } = make();
    quiet();
    for (const one of made) one.alive = false;
    expect(spare.take()).toBe(made[1]);
    for (const one of made) one.alive = false;
    quiet();
    expect(spare.take()).toBe(made[2]);
  });
});
