/** Plans a declaration for an account, in the browser: nothing is read from elsewhere, and nothing is sent. */
import { type Problem, ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { isMapValue } from '../../../src/base/values/plain.ts';
import { readYaml, type YamlSource } from '../../../src/base/yaml/source.ts';
import type { Account } from '../../../src/emulator/account/account.ts';
import { parseAccount } from '../../../src/emulator/account/parseAccount.ts';
import { configOf } from '../../../src/engine/declaration/config.ts';
import { expandShortLists, type ListContents } from '../../../src/engine/declaration/shortLists.ts';
import { problemsOf } from '../../../src/engine/plan/plan.ts';
import { planAll, planOf } from '../../../src/engine/plan/planner.ts';
import { createSession } from '../../../src/engine/run/session.ts';
import { type PageAssets, pageFormat } from '../../../src/report/html/reportPage.ts';
import type { PlanReport } from '../../../src/report/model/report.ts';
import { formatProblems } from '../../../src/report/text/problems.ts';
import { version } from '../../../src/version.ts';
import { connectionsTo, urls } from './liveAccount.ts';

interface PlanTexts {
  /** The report of a plan. Undefined if a file has errors. */
  html?: string;
  /** Problems in the words of the command line. Empty if there are none. */
  problems: string;
  /** The lines of the declaration and of the account that have problems. */
  lines: Record<keyof typeof files, number[]>;
  /** Parts of the declaration that the playground leaves out. */
  leftOut: string[];
}

interface Texts {
  declaration: string;
  account: string;
}

export const files = { declaration: 'webdata.yaml', account: 'account.yaml' } as const;

/** Variables that the example uses. */
const env = { WEBDATA_API_URL: urls.service, WEBDATA_API_KEY: 'playground', WEBDATA_MANAGER_URL: urls.manager };

/** These need the trigger service. */
const triggerCollections = ['webhookDeliveries', 'collectorSchedules'];

export async function planTexts({ declaration, account }: Texts, assets: PageAssets): Promise<PlanTexts> {
  const errors: Problem[] = [];
  const live = collect(() => parseAccount(account, files.account), errors);
  const read = collect(() => readDeclaration(declaration), errors);
  if (live === undefined || read === undefined) return failed(errors, []);
  const { source, leftOut } = read;
  try {
    return await planned(source, live, leftOut, assets);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return failed(error.problems, leftOut);
  }
}

async function planned(source: YamlSource, live: Account, leftOut: string[], assets: PageAssets): Promise<PlanTexts> {
  const config = configOf(source, { env, folder: '' });
  const session = createSession(config, connectionsTo(live, config.service.profile));
  const plan = planOf(await planAll(config, session));
  const problems = problemsOf(plan);
  const meta = { origin: urls.service, version, files: [files.declaration] };
  const report: PlanReport = { about: 'plan', mode: 'plan', plan, problems: [], ...meta };
  const html = pageFormat(() => assets).one(report, { color: false });
  return { ...failed(problems, leftOut), html };
}

function failed(problems: readonly Problem[], leftOut: string[]): PlanTexts {
  const linesIn = (file: string) => problems.flatMap(({ place }) => (place?.file === file ? [place.line] : []));
  const lines = { declaration: linesIn(files.declaration), account: linesIn(files.account) };
  return { problems: formatProblems(problems), lines, leftOut };
}

function collect<T>(read: () => T, errors: Problem[]): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    errors.push(...error.problems);
    return undefined;
  }
}

/** Reads the declaration without the resources of the trigger service. */
function readDeclaration(text: string): { source: YamlSource; leftOut: string[] } {
  const source = readYaml(text, files.declaration, { env });
  const { value } = source;
  const leftOut = isMapValue(value) ? triggerCollections.filter((name) => Object.hasOwn(value, name)) : [];
  const kept = isMapValue(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !leftOut.includes(name)))
    : value;
  return { source: expandShortLists({ ...source, value: kept }, noLists), leftOut };
}

/** Refuses each file, URL and command that a list names. */
class NoLists extends Map<string, ProblemError> {
  override get(): ProblemError {
    return new ProblemError([
      {
        code: 'unreadable-file',
        found: 'the playground reads no files, URLs or commands',
        allowed: 'addresses and ranges',
        fix: 'write the items into the list',
      },
    ]);
  }
}

const noLists: ListContents = new NoLists();
