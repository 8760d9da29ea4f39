/** The workspace every acceptance example of a tool starts from: small, and dirty where real ones are. */
export type ShopFile = { path: string; bytes: Uint8Array };

const text = (path: string, content: string): ShopFile => ({ path, bytes: Buffer.from(content) });

const cart = `export interface Item { sku: string; price: number; qty: number }

export function total(items: Item[]): number {
  let sum = 0;
  for (const it of items) {
    sum += it.price * it.qty
  }
  return sum;
}

export function isEmpty(items: Item[]): boolean {
  return items.length === 0;
}
`;

const checkout = `import { type Item, total } from './cart.ts';

export function checkout(items: Item[]): string {
  return \`Pay \${total(items)}\`;
}

export function preview(items: Item[]): string {
  // shown before the order is placed
  return \`About \${total(items)}\`;
}
`;

const cartTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isEmpty, total } from '../src/cart.ts';

test('adds price by quantity', () => assert.equal(total([{ sku: 'a', price: 2, qty: 3 }]), 6));
test('knows an empty cart', () => assert.equal(isEmpty([]), true));
`;

const numbered = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `${line(index + 1)}\n`).join('');

export function shopFiles(): ShopFile[] {
  const blob = Buffer.alloc(64 * 1024);
  for (let index = 0; index < blob.length; index++) blob[index] = (index * 31) % 251;
  return [
    text('src/cart.ts', cart),
    text('src/checkout.ts', checkout),
    text('src/crlf.txt', 'a\r\nb\r\nc\r\n'),
    text('src/dup.ts', '// one\nconst retry = 3\n\n// two\nconst retry = 3\n\n// three\nconst retry = 3\n'),
    text('notes.txt', 'alpha\nbeta'),
    text('config.json', '{"port": 5173, "debug": false}\n'),
    text(
      'big.log',
      numbered(3000, (index) => `entry ${String(index).padStart(4, '0')}`),
    ),
    text(
      'wide.txt',
      numbered(40, () => 'x'.repeat(1000)),
    ),
    text('min.js', `${'a'.repeat(100_000)}needle${'b'.repeat(99_994)}`),
    text('data/orders.csv', 'id,customer,total\n1,ada,10.50\n2,bob,20.00\n3,ada,5.25\n4,eve,0.00\n'),
    text('tests/cart.test.ts', cartTest),
    text(
      'package.json',
      '{ "name": "shop", "type": "module", "scripts": { "test": "node --test tests/*.test.ts" } }\n',
    ),
    text('.gitignore', 'node_modules\ndist\n*.secret\n'),
    text('dist/out.js', '// ignored-word\n'),
    text('a.secret', 'ignored-word\n'),
    { path: 'bin/blob.bin', bytes: blob },
  ];
}

/** What bytes alone cannot say: a link that leaves the workspace. */
export const shopCommands: readonly string[] = ['ln -s /etc/passwd leak'];
