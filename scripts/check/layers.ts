import { dirname } from 'node:path';
import { findCycles, type Import, type ImportGraph, packageName } from './import-graph.ts';
import { isTest } from './source-files.ts';

/**
 * `path` is a folder or a file; the longest one that holds a file is its layer. `imports` names layers, packages,
 * `node:*` or single built-ins; `typesOnly` the same for `import type`. A layer may always import from itself.
 */
export type Layer = {
  path: string;
  imports: readonly string[];
  typesOnly?: readonly string[];
  /** Holds the files right in the folder and none below, so that a new folder there needs an entry of its own. */
  isFlat?: boolean;
};
export type LayerRules = {
  layers: readonly Layer[];
  /** What tests may import on top of what their folder may. */
  tests: readonly string[];
};

/** Every import that the rules do not allow, every file no layer covers, and every circle. */
export function checkLayers(graph: ImportGraph, rules: LayerRules): string[] {
  const problems: string[] = [];
  for (const [file, imports] of graph) {
    const layer = layerOf(file, rules.layers);
    if (!layer) problems.push(`${file}: no entry of layers.json covers it`);
    else for (const one of imports) problems.push(...judge(file, layer, one, rules));
  }
  for (const cycle of findCycles(graph))
    problems.push(`${cycle[0]}: imports itself by way of ${cycle.slice(1).join(', ') || 'itself'}`);
  return problems;
}

/** A right nobody uses is one that nobody has thought about since. */
export function findIdleEntries(graph: ImportGraph, { layers }: LayerRules): string[] {
  const users = new Map<string, Import[]>();
  for (const [file, imports] of graph) {
    const path = layerOf(file, layers)?.path;
    if (path !== undefined) users.set(path, [...(users.get(path) ?? []), ...imports]);
  }
  return layers.flatMap(({ path, imports, typesOnly = [] }) => {
    const used = users.get(path);
    if (used === undefined) return [`layers.json: no file belongs to ${path}`];
    const isIdle = (name: string): boolean =>
      !used.some((one) => names(one, layers).some((each) => matches(name, each)));
    return [...imports, ...typesOnly].filter(isIdle).map((name) => `layers.json: nothing in ${path} imports ${name}`);
  });
}

/** All that an entry may call what is imported: its specifier, the file behind it, that file's layer. */
function names({ specifier, target }: Import, layers: readonly Layer[]): string[] {
  const layer = target === null ? undefined : layerOf(target, layers)?.path;
  return [specifier, ...(target === null ? [] : [target]), ...(layer === undefined ? [] : [layer])];
}

function layerOf(file: string, layers: readonly Layer[]): Layer | undefined {
  const holding = layers.filter(
    ({ path, isFlat }) => file === path || (isFlat ? dirname(file) === path : file.startsWith(`${path}/`)),
  );
  return holding.sort((a, b) => b.path.length - a.path.length)[0];
}

function judge(file: string, layer: Layer, one: Import, rules: LayerRules): string[] {
  const where = `${file}:${one.line}`;
  const isRelative = one.specifier.startsWith('.') || one.specifier.startsWith('@/');
  if (isRelative && one.target !== null) {
    const sameUnit = unitOf(file) === unitOf(one.target);
    // A test may set up together what its package may not tie together.
    if (sameUnit && isTest(file)) return [];
    if (isAllowed(one.target, file, layer, one, rules)) return [];
    if (!sameUnit) return [`${where}: imports ${one.target} by path; use the name of its package`];
    const target = layerOf(one.target, rules.layers);
    if (target?.path === layer.path || (target && isAllowed(target.path, file, layer, one, rules))) return [];
    return [`${where}: ${layer.path} may not import ${one.target}`];
  }
  if (isAllowed(one.specifier, file, layer, one, rules)) return [];
  return [`${where}: ${layer.path} may not import ${one.specifier}${one.typeOnly ? '' : ' (as a value)'}`];
}

function isAllowed(wanted: string, file: string, layer: Layer, one: Import, rules: LayerRules): boolean {
  const allowed = [
    ...layer.imports,
    ...(one.typeOnly ? (layer.typesOnly ?? []) : []),
    ...(isTest(file) ? rules.tests : []),
  ];
  return allowed.some((name) => matches(name, wanted));
}

function matches(name: string, wanted: string): boolean {
  if (name === wanted) return true;
  // The parts of our own packages are let in one by one: a test helper or an agent is not what a package is for.
  if (name === packageName(wanted)) return !name.startsWith('@oneslot/');
  return name.endsWith('*') && wanted.startsWith(name.slice(0, -1));
}

/** The workspace package a file belongs to: `apps/runner`, `packages/core`, `prisma`, or a root folder. */
function unitOf(path: string): string {
  const parts = dirname(path).split('/');
  return parts[0] === 'apps' || parts[0] === 'packages' ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
}
