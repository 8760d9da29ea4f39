import { dirname, join, normalize } from 'node:path';

const rooted = /^(apps|packages|prisma|scripts|docs|cases|e2e|bench|docker|\.ci)\/[\w./@-]+$/;
const link = /\]\(([^)\s]+)\)/g;
const code = /`([^`\n]+)`/g;

/** Paths a document names, in code marks or as links, that do not exist. Placeholders (`<x>`, `*`) are no paths. */
export function checkDocPaths(doc: string, text: string, exists: (path: string) => boolean): string[] {
  const problems: string[] = [];
  text.split('\n').forEach((line, index) => {
    for (const path of pathsOf(doc, line))
      if (!exists(path)) problems.push(`${doc}:${index + 1}: names ${path}, which does not exist`);
  });
  return problems;
}

function pathsOf(doc: string, line: string): string[] {
  const named = [...line.matchAll(code)]
    .map(([, text = '']) => text.trim().replace(/:\d+$/, '').replace(/\/$/, ''))
    .filter((text) => rooted.test(text));
  const linked = [...line.matchAll(link)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(\w+:|#)/.test(target));
  return [...named, ...linked.map((target) => normalize(join(dirname(doc), target.replace(/#.*$/, ''))))];
}
