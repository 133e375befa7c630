/** A kind as a dynamic provider: the methods that the engine calls, in the types of the SDK. */
import type { dynamic } from '@pulumi/pulumi';
import type { Redact } from '../../src/client/redact.ts';
import type { AnyKind, Properties } from '../../src/kinds/seam/kind.ts';
import { checkInputs } from '../core/check.ts';
import type { Lookup } from '../core/configuration.ts';
import {
  createResource,
  deleteResource,
  diffResource,
  PartialUpdateError,
  readResource,
  updateResource,
} from '../core/lifecycle.ts';
import { problemsFrom } from '../core/problems.ts';
import { openStack, type Stack } from '../core/stack.ts';
import { failureOf } from '../pulumi/failures.ts';
import { ignoredPaths } from '../pulumi/propertyPath.ts';
import { Failure } from './failure.ts';

export type Handlers = Required<dynamic.ResourceProvider>;

/** Properties with what the SDK adds to them, the serialized provider, and what a resource with the option `ignoreChanges` adds. */
type WithInternal = Properties & {
  readonly __provider?: unknown;
  readonly __ignoreChanges?: readonly string[] | undefined;
};

/** Returns the paths that updates ignore, and the input that names them, which the state keeps. */
function ignoredIn({ __ignoreChanges = [] }: WithInternal) {
  return {
    options: { ignored: ignoredPaths(__ignoreChanges) },
    input: __ignoreChanges.length === 0 ? {} : { __ignoreChanges },
  };
}

/** One stack in each process, for all kinds: they share the account and the order of writes. */
let lookup: Lookup | undefined;
let opened: Stack | undefined;

export function handlersFor(kind: AnyKind): Handlers {
  return {
    configure,
    async check(olds, { __provider, __ignoreChanges, ...news }: WithInternal) {
      const { inputs, problems } = await checkInputs(kind, olds, news, openedStack);
      const failures = problems.map((problem) => failureOf(problem, 'pulumi', redact));
      return { inputs: { ...inputs, ...ignoredIn({ __ignoreChanges }).input, __provider }, failures };
    },
    diff: (_id, olds, news) =>
      attempt(async (stack) => {
        const { hasChanges, replaces } = await diffResource(stack, kind, olds, news, ignoredIn(news).options);
        return replaces.length === 0 ? { changes: hasChanges } : { changes: true, replaces, deleteBeforeReplace: true };
      }),
    create: (inputs) =>
      attempt(async (stack) => {
        const { id, properties } = await createResource(stack, kind, inputs);
        return { id, outs: { ...properties, ...ignoredIn(inputs).input } };
      }, inputs),
    read: (id, props = {}) =>
      attempt(async (stack) => {
        const { options, input } = ignoredIn(props);
        const live = await readResource(stack, kind, props, options);
        if (live === undefined) return {};
        return { id, inputs: { ...live.inputs, ...input }, props: { ...live.properties, ...input } };
      }),
    update: (id, olds, news) =>
      attempt(async (stack) => {
        const { options, input } = ignoredIn(news);
        return { outs: { ...(await updateResource(stack, kind, id, olds, news, options)), ...input } };
      }, news),
    delete: (_id, props) => attempt((stack) => deleteResource(stack, kind, props)),
  };
}

/** The engine uses a provider before an asynchronous `configure` has ended, so this one is done when it returns, and never throws. */
function configure({ config }: dynamic.ConfigureRequest): Promise<void> {
  lookup ??= (key) => config.get(key);
  return Promise.resolve();
}

/** Opened at the first use, so that every handler reports the problems of the configuration. @throws ProblemError */
function openedStack(): Stack {
  if (lookup === undefined) throw new TypeError('a handler was called before configure');
  opened ??= openStack(lookup, { print: printOnce });
  return opened;
}

const redact: Redact = (text) => opened?.redact(text) ?? text;

const printed = new Set<string>();

/** Prints each message once in this process; a call that is about to be sent is announced in any case. The engine shows it as one of the stack. */
async function printOnce(text: string, about: 'plan' | 'call' | 'remark'): Promise<boolean> {
  if (about === 'call' || !printed.has(text)) process.stdout.write(`${text}\n`);
  printed.add(text);
  return true;
}

/** @throws Failure for every error, without a stack trace */
async function attempt<T>(action: (stack: Stack) => Promise<T>, news: WithInternal = {}): Promise<T> {
  try {
    return await action(openedStack());
  } catch (error) {
    if (!(error instanceof PartialUpdateError)) throw new Failure(problemsFrom(error), redact);
    const { id, properties } = error.kept;
    const kept = { ...properties, ...ignoredIn(news).input, __provider: news.__provider };
    throw new Failure(error.problems, redact, { id, properties: kept });
  }
}
