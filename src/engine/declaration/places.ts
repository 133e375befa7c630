/**
 * The places of a declaration's files, by which a baseline knows the declaration: neither the current folder nor the name of a file alone decides,
 * and a checkout in another folder or on another machine is the same declaration.
 */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { type Repository, repositoryOf } from '../../base/files/repository.ts';
import type { Backend } from '../backend/backend.ts';

/** A file of `-f`. */
export interface Place {
  /** The absolute path, with the links of its folder resolved. Of a pipe, `-` and the name of the declaration. */
  path: string;
  repository?: Repository | undefined;
}

export function filePlace(file: string): Place {
  const path = inRealFolder(file);
  return { path, repository: repositoryOf(path) };
}

/** Resolves the links of the folders above, also of those that do not exist yet. The file may be a link that changes, as in a mounted ConfigMap. */
function inRealFolder(path: string): string {
  return join(realFolder(dirname(path)), basename(path));
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder === dirname(folder) ? folder : inRealFolder(folder);
  }
}

const unnamedPipe = '-';

/** Returns the place of a pipe: the name of its declaration. */
export function pipePlace(name: string | undefined): Place {
  return { path: name === undefined ? unnamedPipe : `${unnamedPipe} ${name}` };
}

/** Reports whether this may be any declaration: one from a pipe without a name. */
export function isAnyDeclaration(places: readonly Place[]): boolean {
  return places.some(({ path }) => path === unnamedPipe);
}

type Kept = Pick<Backend, 'address' | 'isShared'>;

/**
 * Returns how a baseline writes a place: in a folder of the same tree, as the path from that folder, which moves with it; elsewhere by the
 * repository, `example.com/acme/infra//webdata.yaml`, or else by the path.
 */
export function recordedPlace({ path, repository }: Place, backend: Kept): string {
  if (path.startsWith(unnamedPipe)) return path;
  const folder = backend.isShared ? undefined : inRealFolder(dirname(backend.address));
  const isOwnTree = folder !== undefined && (repository === undefined || isBelow(folder, repository.folder));
  if (isOwnTree) return relative(folder, path);
  if (repository?.remote === undefined) return path;
  return `${repository.remote}//${relative(repository.folder, path)}`;
}

/** Returns the path of a recorded place as seen from these places; undefined for a pipe or a file of another repository. */
export function pathOfRecorded(recorded: string, places: readonly Place[], backend: Kept): string | undefined {
  if (recorded.startsWith(unnamedPipe)) return undefined;
  const [remote = '', inside] = recorded.split('//');
  if (inside === undefined)
    return isAbsolute(recorded) ? recorded : resolve(inRealFolder(dirname(backend.address)), recorded);
  const place = places.find(({ repository }) => repository?.remote === remote);
  return place?.repository && join(place.repository.folder, inside);
}

/** Reports whether one of the two lists contains the other: an overlay that was left out makes no other declaration. */
export function isSameDeclaration(one: readonly string[], other: readonly string[]): boolean {
  const [fewer, more] = one.length < other.length ? [one, other] : [other, one];
  return fewer.length > 0 && fewer.every((place) => more.includes(place));
}

/** Returns the name of a declaration in messages, seen from `cwd`. */
export function declarationName(
  recorded: readonly string[],
  places: readonly Place[],
  backend: Kept,
  cwd: string,
): string {
  const names = recorded.map((each) => {
    if (each === unnamedPipe) return 'standard input';
    if (each.startsWith(`${unnamedPipe} `)) return `standard input (${each.slice(2)})`;
    const path = pathOfRecorded(each, places, backend);
    return path === undefined ? each : relative(cwd, path);
  });
  return names.join(' + ');
}

/** Reports whether a file of the declaration is known to be gone. */
export function isGone(recorded: readonly string[], places: readonly Place[], backend: Kept): boolean {
  return recorded.some((each) => {
    const path = pathOfRecorded(each, places, backend);
    return path !== undefined && existsSync(dirname(path)) && !existsSync(path);
  });
}

function isBelow(path: string, folder: string): boolean {
  const between = relative(folder, path);
  return !between.startsWith('..') && !isAbsolute(between);
}
