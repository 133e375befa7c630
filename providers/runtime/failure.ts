/** How the engine is told that something went wrong: in the words of the tool, and never with a stack trace. */
import { type Problem, ProblemError } from '../../src/diagnostics/problem.ts';
import { formatProblem, formatProblems } from '../../src/report/text/problems.ts';
import { ServiceError } from '../../src/service/errors.ts';
import type { Redact } from '../../src/service/redact.ts';

/** What the SDK's shim reads from an error of create or update: with an `id`, `properties` are kept in the state. */
export interface Half {
  id: string;
  properties: object;
}

/** The shim writes the stack of what a handler throws to the terminal, and after it the engine the message. */
export class Failure extends Error {
  override name = 'webdata';
  override stack = '';
  id?: string;
  properties?: object;
  reasons?: string[];

  constructor(message: string, half?: Half) {
    super(message);
    if (half === undefined) return;
    Object.assign(this, half);
    // The engine shows these, and not the message.
    this.reasons = [message, 'what was done is kept in the state: the next `pulumi up` goes on from here'];
  }

  /** The engine names the resource and shows the message; this would stand before it, without either. */
  override toString(): string {
    return 'webdata: failed, see the resource for why';
  }
}

/** What handlers throw, as problems. Anything else is a fault of the program, and is told as one. */
export function problemsFrom(error: unknown): Problem[] {
  if (error instanceof ProblemError) return [...error.problems];
  if (error instanceof ServiceError) return [{ code: error.code, found: error.message, fix: error.fix }];
  const said = error instanceof Error ? error.message : String(error);
  return [{ code: 'internal', found: `this is a fault of pulumi-webdata: ${said}`, fix: 'please report it' }];
}

export function failure(problems: readonly Problem[], redact: Redact, half?: Half): Failure {
  return new Failure(redact(formatProblems(problems.map(inPulumiWords))), half);
}

/** For `check`, which names the property by itself. */
export function reasonOf({ path: _, ...problem }: Problem, redact: Redact): string {
  return redact(formatProblem(inPulumiWords(problem)));
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
