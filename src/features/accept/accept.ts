/** Accepts drift: changes the files of a declaration so that it matches the live state. Sends no write. */
import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { mergeByItem, type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { isMapValue, valueAt } from '../../base/values/plain.ts';
import { locate } from '../../base/yaml/parseWith.ts';
import type { YamlSource } from '../../base/yaml/source.ts';
import type { Settings } from '../../engine/doors/connection.ts';
import {
  type Config,
  configOf,
  expandShortLists,
  type ListContents,
  withShortLists,
} from '../../engine/doors/declaration.ts';
import { type Declared, type ResourceId, resourceKey } from '../../engine/doors/plan.ts';
import { defaultParallelism, problemsOfError, type Session } from '../../engine/doors/session.ts';
import { type Acceptable, perhapsNeverApplied } from './acceptable.ts';
import type { AcceptOptions, LiveDeclaration } from './capability.ts';
import { type DeclarationText, mergedSource, withValue } from './edits.ts';
import { accepting } from './kinds.ts';

interface AcceptRequest extends AcceptOptions {
  files: readonly DeclarationText[];
  settings: Settings;
  session: Session;
  acceptabilityOf(resource: Declared): Acceptable;
  /** The files that lists of the declaration name. */
  lists: ListContents;
}

export interface Acceptance {
  files: readonly DeclarationText[];
  accepted: readonly ResourceId[];
  /** The reasons why differences of other resources were not accepted, with locations. */
  problems: readonly Problem[];
}

/** Accepting one resource may change what another one has to declare. */
const mostRounds = 4;

export async function acceptLiveState(request: AcceptRequest): Promise<Acceptance> {
  const { session, settings, acceptabilityOf, lists } = request;
  const refused = new Map<string, readonly Problem[]>();
  const accepted = new Map<string, ResourceId>();
  const live = session.withFreshAccount();
  let { files } = request;
  for (let round = 0; round < mostRounds; round += 1) {
    const written = mergedSource(files, settings.env);
    const source = expandShortLists(written, lists);
    const config = configOf(source, settings);
    const isOpen = (declared: Declared) => {
      const { isAccepted, problem } = acceptabilityOf(declared);
      if (problem) refused.set(resourceKey(declared), [locate(problem, source, [declared.collection, declared.name])]);
      return isAccepted && !refused.has(resourceKey(declared));
    };
    const limit = pLimit(defaultParallelism);
    const proposals = await Promise.all(
      config.declared
        .filter(isOpen)
        .map((declared) => limit(() => proposalFor(declared, { config, source, session: live }, request))),
    );
    const result = withProposals(files, proposals, { written, source, lists, settings });
    for (const [key, problems] of result.refused) refused.set(key, problems);
    for (const { declared } of result.made) accepted.set(resourceKey(declared), declared);
    files = result.files;
    if (result.made.length === 0) break;
  }
  return { files, accepted: [...accepted.values()], problems: [...refused.values()].flat() };
}

/** A resource with the fields that its declaration should have. */
interface Proposal {
  declared: Declared;
  live: LiveDeclaration;
}

interface Reading {
  config: Config;
  source: YamlSource;
  session: Session;
}

async function proposalFor(
  declared: Declared,
  { config, source, session }: Reading,
  { isStrict, isWhole, acceptabilityOf }: AcceptRequest,
): Promise<Proposal> {
  const { definition, spec, collection, name } = declared;
  const value = valueAt(source.value, [collection, name]);
  const written = isMapValue(value) ? value : {};
  // The session knows the resources as they were declared before the first round.
  const others = config.declared.filter((other) => other.definition === definition && other.name !== name);
  const context = { ...session.contextFor(declared), others: others.map((other) => other.spec) };
  try {
    const state = await definition.observe(spec, context);
    const live = accepting.of(definition)?.acceptLive({ written, spec }, state, { isStrict, isWhole }) ?? {
      fields: written,
      problems: [notAcceptable],
    };
    const isUncertain = live.fields === undefined && !acceptabilityOf(declared).mayRemove;
    return { declared, live: isUncertain ? { fields: written, problems: [perhapsNeverApplied] } : live };
  } catch (error) {
    return { declared, live: { fields: written, problems: problemsOfError(error) } };
  }
}

/** The declaration before the edits. */
interface Before {
  /** With lists as they are in the files. */
  written: YamlSource;
  /** With whole lists. */
  source: YamlSource;
  lists: ListContents;
  settings: Settings;
}

interface Edited {
  files: readonly DeclarationText[];
  made: Proposal[];
  refused: Map<string, readonly Problem[]>;
}

/** Makes all edits that leave a valid declaration. If all together do not, adds one at a time. */
function withProposals(files: readonly DeclarationText[], proposals: readonly Proposal[], before: Before): Edited {
  const all = edited(files, proposals, before);
  if (problemsIn(all.files, before).length === 0) return all;
  const result: Edited = { files, made: [], refused: all.refused };
  let waiting = all.made;
  for (let count = -1; count !== waiting.length; ) {
    count = waiting.length;
    waiting = waiting.filter((proposal) => {
      const next = edited(result.files, [proposal], before);
      const problems = problemsIn(next.files, before);
      if (problems.length > 0) result.refused.set(resourceKey(proposal.declared), problems.map(asInvalid));
      else {
        result.files = next.files;
        result.made.push(proposal);
        result.refused.delete(resourceKey(proposal.declared));
      }
      return problems.length > 0;
    });
  }
  return result;
}

/** Makes the edits one after the other, without those that cannot be made. */
function edited(files: readonly DeclarationText[], proposals: readonly Proposal[], before: Before): Edited {
  const { written, source, lists, settings } = before;
  const result: Edited = { files, made: [], refused: new Map() };
  for (const proposal of proposals) {
    const { declared, live } = proposal;
    const path = [declared.collection, declared.name];
    const fields =
      live.fields && Object.fromEntries(Object.entries(live.fields).filter(([, value]) => value !== undefined));
    if (live.problems !== undefined && live.problems.length > 0) {
      const located = live.problems.map((problem) => locate(problem, source, path));
      result.refused.set(resourceKey(declared), mergeByItem(located));
      continue;
    }
    if (isDeepStrictEqual(fields, valueAt(source.value, path))) continue;
    try {
      const short = fields && withShortLists(fields, path, written, lists);
      result.files = withValue(result.files, path, short, settings.env);
      result.made.push(proposal);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      result.refused.set(resourceKey(declared), error.problems);
    }
  }
  return result;
}

function problemsIn(files: readonly DeclarationText[], { lists, settings }: Before): readonly Problem[] {
  try {
    configOf(expandShortLists(mergedSource(files, settings.env), lists), settings);
    return [];
  } catch (error) {
    return problemsOfError(error);
  }
}

/** The live state breaks a rule of the declaration. The location is that of the text before the edit, as far as lines are the same. */
function asInvalid(problem: Problem): Problem {
  return { ...problem, found: `the live state is not a valid declaration: ${problem.found}` };
}

const notAcceptable: Problem = {
  code: 'not-acceptable',
  found: 'the live state of this kind cannot be declared',
  fix: 'change the declaration by hand',
};
