/** The details of a problem, for every format that people read. */
import { formatPath } from '../../base/diagnostics/path.ts';
import type { Location, Problem } from '../../base/diagnostics/problem.ts';

/** Returns `webdata.yaml:8:31`, or the path of keys if there is no location; empty if there is neither. */
export function locationText({ place, path = [] }: { place?: Location; path?: PropertyKey[] }): string {
  return place === undefined ? formatPath(path) : `${place.file}:${place.line}:${place.column}`;
}

/** A detail of a problem, as a line below what was found. */
interface ProblemDetail {
  name: 'said' | 'at' | 'allowed' | 'fix' | 'affects' | 'also';
  /** Names of resources, or a location; formats set them apart from the text. */
  names: readonly string[];
  text: string;
}

/** A problem, or an error of the service in the same form. */
interface Described extends Pick<Problem, 'allowed' | 'fix' | 'also' | 'affects' | 'place' | 'path'> {
  said?: string;
}

/** Returns the details in the order in which they are shown. */
export function problemDetails({
  said,
  place,
  path = [],
  allowed,
  fix,
  affects = [],
  also = [],
}: Described): ProblemDetail[] {
  const detail = (name: ProblemDetail['name'], text: string | undefined): ProblemDetail[] =>
    text === undefined ? [] : [{ name, names: [], text }];
  return [
    ...detail('said', said),
    ...detail('at', place === undefined || path.length === 0 ? undefined : formatPath(path)),
    ...detail('allowed', allowed),
    ...detail('fix', fix),
    ...(affects.length > 0 ? [{ name: 'affects', names: affects, text: '' } satisfies ProblemDetail] : []),
    ...also.map((other): ProblemDetail => ({ name: 'also', names: [locationText(other)], text: other.what })),
  ];
}
