/** Problems in the words of Pulumi: options of the command line are configuration of a stack. */
import { type Problem, ProblemError } from '../../src/diagnostics/problem.ts';
import { fromKinds, kinds } from '../../src/kinds/registry.ts';
import { formatProblem, formatProblems } from '../../src/report/text/problems.ts';
import { ServiceError } from '../../src/service/errors.ts';

/** Returns the problems behind an error. Any error that is neither a problem nor an answer of a service is a defect of this package. */
export function problemsFrom(error: unknown): Problem[] {
  if (error instanceof ProblemError) return [...error.problems];
  if (error instanceof ServiceError) return [{ code: error.code, found: error.message, fix: error.fix }];
  const message = error instanceof Error ? error.message : String(error);
  return [{ code: 'internal', found: `this is a defect of pulumi-webdata: ${message}`, fix: 'please report it' }];
}

export function formatForPulumi(problems: readonly Problem[]): string {
  return formatProblems(problems.map(inPulumiWords));
}

/** Formats a problem for `check`, which names the property itself. */
export function reasonOf({ path: _, ...problem }: Problem): string {
  return formatProblem(inPulumiWords(problem));
}

/** Problems that later declarations or writes of other resources may resolve. */
const resolvableCodes = fromKinds(() => new Set(kinds.flatMap(({ resolvable = [] }) => resolvable)));

export function mayBeResolved(problems: readonly Problem[]): boolean {
  return problems.length > 0 && problems.every(({ code }) => resolvableCodes().has(code));
}
/** Without running the program, the engine hands a provider the configuration that the state remembers. */
const ofLastUp =
  'After a change of the key, give `pulumi refresh` and `pulumi destroy` --run-program: without it, they use that of the last `pulumi up`.';

/** What the sync tool's flags and files are in a stack. */
const words: [RegExp, string][] = [
  [/--allow-moves (\d+)/, '`pulumi config set webdata:allowMoves $1`'],
  [/give --allow-self-lockout/, '`pulumi config set webdata:allowSelfLockout true`'],
  [/pass --allow-unclear-listing/, '`pulumi config set webdata:allowUnclearListing true`'],
  [/--force-ports/, '`pulumi config set webdata:forcePorts true`'],
  [/set service\.url in the file, WEBDATA_API_URL, or give --api-url/, '`pulumi config set webdata:apiUrl URL`'],
  [/set manager\.url in the file, or `url`/, '`pulumi config set webdata:managerUrl URL`, or set `url`'],
  [/, WEBDATA_MANAGER_URL, or give --manager-url/, ''],
  [/\(WEBDATA_API_KEY\)/, '(`pulumi config set --secret webdata:apiKey`)'],
  [/[Ss]et WEBDATA_API_KEY/, '`pulumi config set --secret webdata:apiKey`'],
  [/set triggers\.url in the file, or WEBDATA_TRIGGERS_URL/, '`pulumi config set webdata:triggersUrl URL`'],
  [/[Ss]et WEBDATA_TRIGGERS_TOKEN to/, '`pulumi config set --secret webdata:triggersToken`:'],
  [/triggers\.url \(WEBDATA_TRIGGERS_URL\)/, 'webdata:triggersUrl'],
  [/`webdata plan`/, '`pulumi preview`'],
  [/, or pass --lock-timeout SECONDS .*/, ', then run it again'],
];

export function inPulumiWords<P extends Pick<Problem, 'code' | 'fix'>>(problem: P): P {
  const { code, fix } = problem;
  if (fix === undefined) return problem;
  const inWords = words.reduce((text, [pattern, said]) => text.replace(pattern, said), fix);
  return { ...problem, fix: code === 'unauthorized' ? `${inWords} ${ofLastUp}` : inWords };
}
