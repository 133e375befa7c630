/** `webdata doctor`: all checks, in the order in which they are shown. Sends reads only. */

import { counted } from '../../base/diagnostics/valueWords.ts';
import { outboundRoute } from '../../base/values/outboundRoute.ts';
import type { InferredProfile } from '../../client/inferredProfile.ts';
import { redactor } from '../../client/redact.ts';
import type { RequestEvent } from '../../client/transport/requestLog.ts';
import type { SetupOptions } from '../../engine/doors/connection.ts';
import type { Config } from '../../engine/doors/declaration.ts';
import type { Run } from '../../engine/doors/history.ts';
import { type Session, type SessionSurroundings, withSession } from '../../engine/doors/session.ts';
import { declaredManagers } from '../../kinds/declaredManagers.ts';
import { version } from '../../version.ts';
import { AnswerLog } from './answerLog.ts';
import { backendChecks, type WithBackend } from './backendChecks.ts';
import { attempt, type Check } from './check.ts';
import { serviceChecks } from './serviceChecks.ts';

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
  withBackend: WithBackend,
  options: Pick<SetupOptions, 'timeout' | 'retries'>,
  surroundings: Omit<SessionSurroundings, 'readOnly'>,
): Promise<Diagnosis> {
  const answers = new AnswerLog();
  const onRequest = (event: RequestEvent) => {
    answers.add(event);
    surroundings.onRequest?.(event);
  };
  return withSession(options, { ...surroundings, onRequest, readOnly: true }, config, async ({ session }) => {
    const backend = await backendChecks(config, withBackend);
    const service = await serviceChecks(config, session, backend.runs);
    const manager = await managerChecks(config, session);
    const triggers = await triggersChecks(config, session, answers);
    const profile = inferredBy(config, session, service, manager);
    const checks = [
      declaration,
      versionsCheck(backend.runs, triggers.version),
      ...proxyChecks(config, surroundings.env),
      ...service,
      ...manager,
      ...triggers.checks,
      ...backend.checks,
      answers.clockCheck(),
      profileCheck(profile),
      ...answers.misfitChecks(),
    ];
    return { checks, profile };
  });
}

/** Says which way each server is reached. Without a proxy in the environment, all are reached directly, and there is nothing to say. */
function proxyChecks(config: Config, env: SessionSurroundings['env']): Check[] {
  const isSet = ['https_proxy', 'http_proxy'].some((name) => env[name] || env[name.toUpperCase()]);
  if (!isSet) return [];
  const urls = [config.service.url, ...declaredManagers(config), config.triggers.url].filter(
    (url) => url !== undefined,
  );
  const origins = new Set(urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin));
  return [...origins].map((origin): Check => {
    const route = outboundRoute(origin, env);
    const name = 'network';
    if (route.kind === 'unclear') {
      const fix = `correct ${route.by}, or name the host in NO_PROXY`;
      return { name, result: 'failed', text: `${route.by} ${route.why}`, fix };
    }
    const way = route.kind === 'proxy' ? `through ${route.url.origin}` : 'directly';
    const why = route.by === undefined ? '' : ` (${route.by})`;
    return { name, result: 'ok', text: `${origin} is reached ${way}${why}` };
  });
}

/** Names other versions that work on the account: the trigger service, and the machine that made the last run. */
function versionsCheck(runs: readonly Run[], triggers: string | undefined): Check {
  const ran = runs.findLast((run) => run.version !== '')?.version;
  const others = [
    ...(triggers !== undefined && triggers !== version ? [`the trigger service has ${triggers}`] : []),
    ...(ran !== undefined && ran !== version ? [`the last run was made by ${ran}`] : []),
  ];
  const own = `webdata ${version}, Node ${process.versions.node}`;
  if (others.length === 0) return { name: 'versions', result: 'ok', text: own };
  const fix = 'use one version of webdata everywhere';
  return { name: 'versions', result: 'note', text: `${own}; ${others.join(', and ')}`, fix };
}

async function managerChecks(config: Config, session: Session): Promise<Check[]> {
  const urls = declaredManagers(config);
  if (urls.length === 0) return [{ name: 'manager', result: 'skipped', text: 'no proxy manager is configured' }];
  const checks = urls.map((url) => {
    const name = `manager ${redactor()(url)}`;
    return attempt(name, async () => {
      const manager = session.manager(url);
      const { by } = await manager.readSettings();
      const ports = await manager.ports();
      const read = by === 'put' ? 'settings are read by PUT of {}, which changes nothing' : 'settings are read by GET';
      const seen = ports === null ? 'ports are not observable' : `${counted(ports.length, 'port')}`;
      return [{ name, result: ports === null ? 'note' : 'ok', text: `${read}; ${seen}` }];
    });
  });
  return (await Promise.all(checks)).flat();
}

async function triggersChecks(
  config: Config,
  session: Session,
  answers: AnswerLog,
): Promise<{ checks: Check[]; version?: string | undefined }> {
  if (config.triggers.url === undefined && config.triggers.ledger === undefined) {
    return { checks: [{ name: 'triggers', result: 'skipped', text: 'no trigger service is configured' }] };
  }
  let found: string | undefined;
  const checks = await attempt('triggers', async () => {
    const client = session.triggers();
    const asked = Date.now();
    const { now, schedules, paused, runs, lateNow, storeNote } = await client.totals();
    const answered = Date.now();
    answers.addClock(client.url, now - (asked + answered) / 2, (answered - asked) / 2);
    found = await client.version();
    const about = `${client.url} answers; ${counted(schedules, 'schedule')}, ${paused} paused`;
    const late = lateNow > 0 ? [`${counted(lateNow, 'run')} late`] : [];
    const unknown = runs.unknown > 0 ? [`${counted(runs.unknown, 'run')} with an unknown outcome`] : [];
    const findings = [...late, ...unknown, ...(storeNote === undefined ? [] : [storeNote])];
    if (findings.length === 0) return [{ name: 'triggers', result: 'ok', text: about }];
    const fix = 'see `webdata triggers runs`, and resolve unknown ones with `webdata triggers resolve`';
    return [{ name: 'triggers', result: 'note', text: `${about}; ${findings.join(', ')}`, fix }];
  });
  return { checks, version: found };
}

function inferredBy(
  config: Config,
  session: Session,
  service: readonly Check[],
  manager: readonly Check[],
): InferredProfile {
  const hasClient = service.some(({ result }) => result !== 'failed');
  const fromService = hasClient ? session.client().inferredProfile() : {};
  const [url] = declaredManagers(config);
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
