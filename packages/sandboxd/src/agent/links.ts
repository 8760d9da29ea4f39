import { posix } from 'node:path';
import { isInside, outsideMark, type Root, resolveReal } from './confine.ts';

/** After the mark: the target was relative and climbed out. No encoded part of a path is a lone `%`. */
const climbing = '%';
/** Begins a link that was absolute and led inside: the same place as without it, for whoever follows it. */
const absolute = './/';

/**
 * What a link to `target` says on disk. Where links must stay inside, an absolute one is kept relative, since the
 * folder may move, and one that would leave is kept as a mark that leads to nothing.
 */
export function storedTarget(root: Root, relative: string, target: string): string {
  const folder = resolveReal(root, posix.dirname(relative));
  const named = target === root.name || target.startsWith(`${root.name}/`);
  const leads = named ? posix.join(root.path, target.slice(root.name.length)) : posix.resolve(folder, target);
  if (!root.linksStayInside) return named && root.path !== root.name ? posix.relative(folder, leads) || '.' : target;
  if (!isInside(root, leads) || (!named && target.startsWith('/'))) return markOf(target);
  return named ? `${absolute}${posix.relative(folder, leads) || '.'}` : target;
}

/** Where a link leads as it is spelled inside: never in words of the host. */
export function shownTarget(root: Root, relative: string, stored: string): string {
  if (stored.startsWith('/') && isInside(root, stored)) return root.name + stored.slice(root.path.length);
  if (!root.linksStayInside) return stored;
  if (stored.startsWith(`${outsideMark}/`)) return targetOf(stored);
  if (!stored.startsWith(absolute)) return stored;
  const leads = posix.join(resolveReal(root, posix.dirname(relative)), stored);
  return root.name + leads.slice(root.path.length);
}

/** Dots are encoded, so that even what lies below a folder of the mark's name stays below it. */
function markOf(target: string): string {
  const parts = target.replace(/^\/+/, '').split('/').map(encodePart);
  return [outsideMark, ...(target.startsWith('/') ? [] : [climbing]), ...parts].join('/');
}

function targetOf(mark: string): string {
  const parts = mark.slice(outsideMark.length + 1).split('/');
  const relative = parts[0] === climbing;
  const target = (relative ? parts.slice(1) : parts).map(decodePart).join('/');
  return relative ? target : `/${target}`;
}

function encodePart(part: string): string {
  const plain = part.replaceAll('%', '%25');
  return plain === '.' || plain === '..' ? plain.replaceAll('.', '%2E') : plain;
}

function decodePart(part: string): string {
  return part.replaceAll('%2E', '.').replaceAll('%25', '%');
}
