/**
 * `webdata doctor`: checks the configuration, the connection and the forms of the answers. Sends reads only. Each check is data, so
 * that text and JSON show the same.
 */
import { type Problem, ProblemError } from '../diagnostics/problem.ts';
import { counted } from '../diagnostics/valueWords.ts';
import type { InferredProfile } from '../service/inferredProfile.ts';
import type { Misfit } from '../service/reading/misfits.ts';
import type { RequestEvent } from '../service/transport/requestLog.ts';
import { type Config, knownService } from './config/config.ts';
import { problemsOfError } from './plan/planner.ts';
import { openSession, type Session, type SessionOptions } from './session.ts';

export interface Check {
  /** Stable: `declaration`, `zones`, `manager`. */
  name: string;
  /** `ok`; `note`: works, but differs from the specification; `skipped`: not configured; `failed`: something is wrong. */
  result: 'ok' | 'note' | 'skipped' | 'failed';
  text: string;
  fix?: string | undefined;
}

export interface Diagnosis {
  checks: Check[];
  /** Detected by this run, in the form of `service.profile`. Empty if the names of the specification fit. */
  profile: InferredProfile;
}

export function isHealthy({ checks }: Diagnosis): boolean {
  return checks.every(({ result }) => result !== 'failed');
}

/** `declaration` is what reading the files gave; without a usable declaration, `config` holds only flags and the environment. */
export async function diagnose(
  config: Config,
  declaration: Check,
  connection: Pick<SessionOptions, 'signal' | 'timeoutMs' | 'retry' | 'onRequest'>,
): Promise<Diagnosis> {
  const misfits = new MisfitLog();
  const onRequest = (event: RequestEvent) => {
    misfits.add(event);
    connection.onRequest?.(event);
  };
  const session = openSession(config, { ...connection, onRequest });
  try {
    const service = await serviceChecks(config, session);
    const manager = await managerCheck(config, session);
    const triggers = await triggersCheck(config, session);
    const profile = inferredBy(config, session, service, manager);
    const checks = [declaration, ...service, ...manager, ...triggers, profileCheck(profile), ...misfits.checks()];
    return { checks, profile };
  } finally {
    await session.close();
  }
}

/** The check that reading the declaration gave. `declared` is undefined if there is no file. */
export function declarationCheck(declared: number | undefined): Check {
  if (declared === undefined) {
    return { name: 'declaration', result: 'skipped', text: 'no declaration found; flags and environment are used' };
  }
  return { name: 'declaration', result: 'ok', text: `valid, declares ${counted(declared, 'resource')}` };
}

/** The first problem leads; `webdata validate` shows all of them. */
export function failedCheck(name: string, problems: readonly Problem[]): Check {
  const [first, ...more] = problems;
  const place = first?.place === undefined ? '' : `${first.place.file}:${first.place.line}:${first.place.column}: `;
  const others = more.length > 0 ? ` (and ${counted(more.length, 'more problem')})` : '';
  return { name, result: 'failed', text: `${place}${first?.found ?? 'failed'}${others}`, fix: first?.fix };
}

async function attempt(name: string, action: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await action();
  } catch (error) {
    return [failedCheck(name, problemsOfError(error))];
  }
}

async function serviceChecks(config: Config, session: Session): Promise<Check[]> {
  try {
    knownService(config);
  } catch (error) {
    if (error instanceof ProblemError) return [failedCheck('service', error.problems)];
    throw error;
  }
  const recent = await recentZones(session);
  const isRefused = recent.checks.some(({ result }) => result === 'failed');
  const zones = [...new Set([...zonesIn(config), ...recent.zones])].slice(0, mostZones);
  if (isRefused && zones.length === 0) return recent.checks;
  const listings = await Promise.all(zones.map((zone) => attempt(`zone ${zone}`, () => listingCheck(zone, session))));
  const [first] = zones;
  const countries = first === undefined ? [] : await attempt('countries', () => countriesCheck(first, session));
  return [...recent.checks, ...listings.flat(), ...countries];
}

/** Enough to see the forms of the answers; `webdata plan` lists every declared zone. */
const mostZones = 10;

async function recentZones(session: Session): Promise<{ zones: string[]; checks: Check[] }> {
  let zones: string[] = [];
  const checks = await attempt('service', async () => {
    zones = Object.keys(await session.client().zones.recentIps('*'));
    const { origin } = session.client();
    return [
      { name: 'service', result: 'ok', text: `${origin} answers; ${counted(zones.length, 'zone')} recently used` },
    ];
  });
  return { zones, checks };
}

/** The zones that declared resources name. */
function zonesIn({ declared }: Config): string[] {
  return declared.flatMap(({ definition, spec }) => [...(definition.targets?.(spec).zones ?? [])]);
}

async function listingCheck(zone: string, session: Session): Promise<Check[]> {
  const { ips } = await session.client().zones.listing(zone);
  const unknown = ips.filter(({ country }) => country === '').length;
  const text = `${counted(ips.length, 'IP')}${unknown > 0 ? `, ${unknown} without a known country` : ''}`;
  return [{ name: `zone ${zone}`, result: unknown > 0 ? 'note' : 'ok', text }];
}

async function countriesCheck(zone: string, session: Session): Promise<Check[]> {
  const counts = await session.client().zones.countries(zone);
  const text = `numbers by country: ${Object.keys(counts).length} in ${zone}`;
  return [{ name: 'countries', result: 'ok', text }];
}

async function managerCheck(config: Config, session: Session): Promise<Check[]> {
  const urls = managerUrls(config);
  if (urls.length === 0) return [{ name: 'manager', result: 'skipped', text: 'no proxy manager is configured' }];
  const checks = urls.map((url) =>
    attempt(`manager ${url}`, async () => {
      const manager = session.manager(url);
      const { by } = await manager.readSettings();
      const ports = await manager.ports();
      const read = by === 'put' ? 'settings are read by PUT of {}, which changes nothing' : 'settings are read by GET';
      const seen = ports === null ? 'ports are not observable' : `${counted(ports.length, 'port')}`;
      return [{ name: `manager ${url}`, result: ports === null ? 'note' : 'ok', text: `${read}; ${seen}` }];
    }),
  );
  return (await Promise.all(checks)).flat();
}

/** The configured manager, and those that declared resources name. */
function managerUrls({ manager, declared }: Config): string[] {
  const named = declared.flatMap(({ definition, spec }) => definition.targets?.(spec).managers ?? []);
  return [...new Set([...(manager.url === undefined ? [] : [manager.url]), ...named])];
}

async function triggersCheck(config: Config, session: Session): Promise<Check[]> {
  if (config.triggers.url === undefined) {
    return [{ name: 'triggers', result: 'skipped', text: 'no trigger service is configured' }];
  }
  return attempt('triggers', async () => {
    await session.triggers().totals();
    return [{ name: 'triggers', result: 'ok', text: `${session.triggers().url} answers` }];
  });
}

function inferredBy(
  config: Config,
  session: Session,
  service: readonly Check[],
  manager: readonly Check[],
): InferredProfile {
  const hasClient = service.some(({ result }) => result !== 'failed');
  const fromService = hasClient ? session.client().inferredProfile() : {};
  const [url] = managerUrls(config);
  const hasManager = url !== undefined && manager.some(({ result }) => result !== 'failed');
  return { ...fromService, ...(hasManager ? session.manager(url).inferredProfile() : {}) };
}

function profileCheck(profile: InferredProfile): Check {
  if (Object.keys(profile).length === 0) {
    return { name: 'profile', result: 'ok', text: 'the answers fit the specification and the profile' };
  }
  const text = 'detected what the specification leaves open';
  return { name: 'profile', result: 'note', text, fix: 'to pin them, paste the profile below into the declaration' };
}

/** The values of answers that did not fit, by the path of the request. */
class MisfitLog {
  readonly #byRequest = new Map<string, Misfit[]>();

  add({ method, url, misfits = [] }: RequestEvent): void {
    if (misfits.length === 0) return;
    const path = URL.canParse(url) ? new URL(url).pathname : url;
    this.#byRequest.set(`${method} ${path}`, misfits);
  }

  checks(): Check[] {
    return [...this.#byRequest].map(([request, misfits]) => {
      const shown = misfits
        .slice(0, mostMisfits)
        .map(({ path, found, expected }) => `${path} is ${found}, not ${expected}`);
      const more = misfits.length > mostMisfits ? `; ${misfits.length - mostMisfits} more with --log-http` : '';
      return { name: 'misfits', result: 'note', text: `${request}: ${shown.join('; ')}${more}` };
    });
  }
}

const mostMisfits = 5;
