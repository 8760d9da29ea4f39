import type { TreeEntry } from './tar-of.ts';

const numbered = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_unused, index) => line(index + 1)).join('\n');

/** The workspace every example of the tool catalogue runs on; documents and images are stand-ins. */
export const shop: readonly TreeEntry[] = [
  { path: 'src/' },
  {
    path: 'src/cart.ts',
    text: `export interface Item { sku: string; price: number; qty: number }

export function total(items: Item[]): number {
  let sum = 0
  for (const it of items) {
    sum += it.price * it.qty
  }
  return sum
}

export function isEmpty(items: Item[]): boolean {
  return items.length === 0
}
`,
  },
  {
    path: 'src/checkout.ts',
    text: `import { total } from './cart'

export function pay(items: never[]) {
  return total(items)
}

export function preview(items: never[]) {
  const label = 'preview'
  return label + total(items)
}
`,
  },
  { path: 'src/crlf.txt', text: 'a\r\nb\r\nc\r\n' },
  {
    path: 'src/dup.ts',
    text: '// retries\nconst retry = 3\n\n// again\nconst retry = 3\n\n// and again\nconst retry = 3\n',
  },
  { path: 'notes.txt', text: 'alpha\nbeta' },
  { path: 'config.json', text: '{"port": 5173, "debug": false}\n' },
  { path: 'big.log', text: `${numbered(3_000, (index) => `entry ${String(index).padStart(4, '0')}`)}\n` },
  { path: 'wide.txt', text: `${numbered(40, () => 'x'.repeat(1_000))}\n` },
  { path: 'min.js', text: `${'a'.repeat(99_997)}needle${'b'.repeat(99_997)}` },
  { path: 'data/' },
  { path: 'data/orders.csv', text: 'id,customer,total\n1,ada,10.50\n2,bob,20.00\n3,ada,5.25\n4,eve,0.00\n' },
  { path: 'docs/' },
  { path: 'docs/spec.pdf', text: '%PDF-1.4\n' },
  { path: 'img/' },
  { path: 'img/logo.png', bytes: Buffer.from('89504e470d0a1a0a0000000d494844520000004000000020', 'hex') },
  { path: 'nb/' },
  {
    path: 'nb/a.ipynb',
    text: '{\n "cells": [\n  {"cell_type": "markdown", "id": "c1", "metadata": {}, "source": ["hi"]},\n  {"cell_type": "code", "id": "c2", "metadata": {}, "outputs": [], "source": ["print(1)"]}\n ],\n "nbformat": 4, "nbformat_minor": 5, "metadata": {}\n}\n',
  },
  { path: 'tests/' },
  {
    path: 'tests/cart.test.ts',
    text: "import test from 'node:test'\ntest('total', () => {})\ntest('empty', () => {})\n",
  },
  { path: 'package.json', text: '{ "name": "shop", "scripts": { "test": "node --test" } }\n' },
  { path: 'leak', link: '/etc/passwd' },
  { path: 'bin/' },
  { path: 'bin/blob.bin', bytes: Buffer.alloc(65_536) },
  { path: '.gitignore', text: 'node_modules\ndist\n*.secret\n' },
  { path: 'dist/' },
  { path: 'dist/out.js', text: 'out\n' },
  { path: 'a.secret', text: 'token\n' },
];
