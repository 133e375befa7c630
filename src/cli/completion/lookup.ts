/** Candidates from the declaration and the journal. A missing or broken file has none, and prints nothing. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readTextFile } from '../../base/files/textFile.ts';
import { isMapValue } from '../../base/values/plain.ts';
import type { ProcessEnvironment } from '../../engine/doors/connection.ts';
import { formatNames } from '../../report/formats.ts';
import type { Candidate, CandidateLookup, Given } from './candidates.ts';

/** Parsing a larger declaration would take too long for a Tab. */
const longest = 256 * 1024;

/** `kinds` maps collections to kinds. */
export function lookupIn(environment: ProcessEnvironment, kinds: Readonly<Record<string, string>>): CandidateLookup {
  const { cwd } = environment;
  return async (value, given) => {
    if (value === 'format=file') return formatNames.map((name) => ({ value: `${name}=`, summary: '' }));
    if (value === 'kind/name') return declaredNames(filesOf(given, cwd), kinds, given);
    if (value === 'run') return runIds(given, environment);
    if (value === 'zone') return zoneNames(given, environment);
    return [];
  };
}

function filesOf({ values }: Given, cwd: string): string[] {
  return (values.get('--file') ?? ['webdata.yaml']).map((file) => resolve(cwd, file));
}

async function declaredNames(
  files: readonly string[],
  kinds: Readonly<Record<string, string>>,
  { values }: Given,
): Promise<Candidate[]> {
  const maps = await Promise.all(files.map(mapIn));
  const selectors = maps.flatMap((map) =>
    Object.entries(kinds).flatMap(([collection, kind]) => namesIn(map[collection]).map((name) => `${kind}/${name}`)),
  );
  const selected = values.get('--select') ?? [];
  return [...new Set(selectors)].filter((each) => !selected.includes(each)).map((value) => ({ value, summary: '' }));
}

function namesIn(collection: unknown): string[] {
  return isMapValue(collection) ? Object.keys(collection).filter((name) => /^[\w.-]+$/.test(name)) : [];
}

async function mapIn(file: string): Promise<Record<string, unknown>> {
  try {
    const stats = await stat(file);
    // A pipe can be read once, and by the command only.
    if (!stats.isFile() || stats.size > longest) return {};
    const { parseDocument } = await import('yaml');
    const value: unknown = parseDocument(await readTextFile(file), { merge: true, logLevel: 'silent' }).toJS();
    return isMapValue(value) ? value : {};
  } catch {
    return {};
  }
}

/** A shared backend or a service that takes longer to answer has no candidates. */
const longestMs = 2_000;

/** Returns the runs that made calls, newest first. */
async function runIds({ values }: Given, environment: ProcessEnvironment): Promise<Candidate[]> {
  const [{ connectionIfAny }, { withBackend }, { accountLogOf }] = await Promise.all([
    import('../../engine/doors/connection.ts'),
    import('../../engine/doors/backend.ts'),
    import('../../engine/doors/history.ts'),
  ]);
  const flags = {
    file: values.get('--file')?.slice(),
    journal: values.get('--journal')?.at(-1),
    backend: values.get('--backend')?.at(-1),
  };
  const read = async () => {
    const config = await connectionIfAny(flags, environment);
    return withBackend(flags, environment, config, (backend) => accountLogOf(backend, environment).all());
  };
  return (await inTime(read))
    .filter(({ calls }) => calls.length > 0)
    .reverse()
    .map(({ id, command, startedAt, calls }) => ({
      value: id.slice(0, 8),
      summary: `${command} of ${startedAt.slice(0, 16).replace('T', ' ')}, ${calls.length} calls`,
    }));
}

/** Returns the zones that the service lists. */
async function zoneNames({ values }: Given, environment: ProcessEnvironment): Promise<Candidate[]> {
  const [{ configIfAny }, { liveZones, withSession }] = await Promise.all([
    import('../../engine/doors/declaration.ts'),
    import('../../engine/doors/session.ts'),
  ]);
  const { env, signal = new AbortController().signal } = environment;
  const file = values.get('--file')?.slice();
  const apiUrl = values.get('--api-url')?.at(-1);
  const read = async () => {
    const config = await configIfAny({ ...(file && { file }), ...(apiUrl && { apiUrl }) }, environment);
    const how = { env, signal, onRequest: undefined, readOnly: true };
    return withSession({ timeout: longestMs / 1000, retries: 0 }, how, config, ({ session }) => liveZones(session));
  };
  const names = await inTime(async () => (await read()).names.toSorted());
  return names.map((value) => ({ value, summary: '' }));
}

/** Returns nothing if the read fails or takes too long. */
function inTime<T>(read: () => Promise<readonly T[]>): Promise<readonly T[]> {
  return Promise.race([read().catch(() => []), setTimeout(longestMs, [], { ref: false })]);
}
