/** The provider behind the gRPC contract: the resources of all kinds, in the terms of the engine. */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { FrontName } from '../../src/base/diagnostics/fix.ts';
import { type Problem, ProblemError } from '../../src/base/diagnostics/problem.ts';
import { kinds } from '../../src/kinds/knownKinds.ts';
import type { AnyKind, Properties } from '../../src/kinds/seam/kind.ts';
import { liveExport } from '../../src/kinds/seam/liveExport.ts';
import { ownership } from '../../src/kinds/seam/ownership.ts';
import type { Print } from '../core/announcements.ts';
import { checkInputs } from '../core/check.ts';
import { configurationProblems, secretSettings, settingsLookup } from '../core/configuration.ts';
import { withoutCredentials } from '../core/credentials.ts';
import { callFunction, InvalidArguments } from '../core/functions.ts';
import { importResource } from '../core/importing.ts';
import {
  createResource,
  deleteResource,
  diffResource,
  PartialUpdateError,
  type ResourceDiff,
  readResource,
  updateResource,
} from '../core/lifecycle.ts';
import { formatFor, problemsFrom } from '../core/problems.ts';
import { openStack, type Stack } from '../core/stack.ts';
import { storedOf } from '../core/stored/table.ts';
import { unknownPaths } from '../core/unknown.ts';
import { OpenWrites } from '../grpc/openWrites.ts';
import { type CheckFailure, failureOf } from '../pulumi/failures.ts';
import { ignoredPaths } from '../pulumi/propertyPath.ts';
import type { EngineLog } from './engineLog.ts';
import {
  type Checked,
  type EngineResource,
  HalfDone,
  type Invoked,
  noProperties,
  type States,
  type WriteRequest,
  type Written,
} from './engineRequests.ts';
import { packageSchema } from './package.ts';
import { previewResource, unpredicted } from './preview.ts';
import { viewsOf } from './previewViews.ts';
import { markedInputs, markSecrets } from './secretProperties.ts';
import { SecretTexts } from './secretTexts.ts';
import { parseUrn } from './urn.ts';
import type { WireProperties } from './values.ts';

/** The time in which an answer reaches an engine that is waiting for it. */
const answeringMs = 100;

interface ProviderOptions {
  version: string;
  log: EngineLog;
  /** The process of the engine, whose other providers may be for the same account. */
  program?: number | undefined;
}

/** The provider of one process. Each configuration opens a stack of its own. */
export class Provider {
  readonly #options: ProviderOptions;
  /** An explicit provider has its own configuration. */
  #front: FrontName = 'pulumi';
  readonly #currentUrn = new AsyncLocalStorage<string>();
  #configured: WireProperties = noProperties;
  #opened: Stack | undefined;
  #hasViews = false;
  readonly #secretTexts = new SecretTexts();
  readonly #writes = new OpenWrites();

  constructor(options: ProviderOptions) {
    this.#options = options;
  }

  handshake({ supportsViews }: { supportsViews: boolean }): void {
    this.#hasViews = supportsViews;
  }

  schema(): string {
    return JSON.stringify(packageSchema(this.#options.version));
  }

  /** `urn` names the provider: the default one, or an explicit one of the program. */
  checkConfiguration({ values, secrets }: WireProperties, urn = ''): Checked {
    this.#front = /^default(?:_|$)/.test(parseUrn(urn).name) || urn === '' ? 'pulumi' : 'pulumiProvider';
    const marked = [...secrets, ...secretSettings.map((name) => [name])];
    const problems = configurationProblems(values, settingsLookup);
    const failures = problems.map((problem) => failureOf(problem, 'pulumi', withoutCredentials));
    return { inputs: { values, secrets: marked }, failures };
  }

  configure(settings: WireProperties): void {
    this.#configured = settings;
    this.#opened = undefined;
  }

  /** Returns true if a preview, an update or a destroy reads each resource first. */
  refreshesBeforeUpdate(): boolean {
    return settingsLookup(this.#configured.values)('webdata:refreshBeforeUpdate') === 'true';
  }

  check(resource: EngineResource, olds: WireProperties, news: WireProperties): Promise<Checked> {
    return this.#attempt(resource, [news, olds], async (kind) => {
      const given = { ...identityOf(kind, resource), ...news.values };
      if (hasUnknown(this.#configured)) return { inputs: markSecrets(kind, given, news), failures: [] };
      const { inputs, problems } = await checkInputs(kind, olds.values, given, () => this.#stack(), resource.urn);
      return { inputs: markSecrets(kind, inputs, news), failures: this.#failures(problems) };
    });
  }

  diff(
    resource: EngineResource,
    { inputs, state }: States,
    news: WireProperties,
    ignoreChanges: readonly string[],
  ): Promise<Pick<ResourceDiff, 'hasChanges' | 'properties'>> {
    return this.#attempt(resource, [news, inputs, state], async (kind) => {
      if (hasUnknown(this.#configured)) return { hasChanges: true, properties: [] };
      const stack = this.#stack();
      const options = { oldInputs: inputs.values, ignored: ignoredPaths(ignoreChanges) };
      return diffResource(stack, kind, state.values, news.values, options);
    });
  }

  create(resource: EngineResource, news: WireProperties, writing: WriteRequest): Promise<Written> {
    return this.#attempt(resource, [news], async (kind) => {
      using _ = writing.isPreview ? undefined : this.#writes.begin();
      const { id, properties } = writing.isPreview
        ? await this.#preview(kind, {}, news, writing)
        : await createResource(this.#stack(), kind, news.values);
      return { id, state: markSecrets(kind, properties, news) };
    });
  }

  update(
    resource: EngineResource,
    id: string,
    { inputs, state }: States,
    news: WireProperties,
    writing: WriteRequest,
  ): Promise<WireProperties> {
    return this.#attempt(resource, [news, inputs, state], async (kind) => {
      using _ = writing.isPreview ? undefined : this.#writes.begin();
      const options = { ignored: ignoredPaths(writing.ignoreChanges) };
      const properties = writing.isPreview
        ? (await this.#preview(kind, state.values, news, writing)).properties
        : await updateResource(this.#stack(), kind, id, state.values, news.values, options);
      return markSecrets(kind, properties, news);
    });
  }

  /** The inputs are empty for an import. Returns null where the resource is gone. */
  read(
    resource: EngineResource,
    id: string,
    { inputs, state }: States,
  ): Promise<(Written & { inputs: WireProperties }) | null> {
    return this.#attempt(resource, [inputs, state], async (kind) => {
      const isImport = Object.keys(state.values).length === 0;
      const found: { id?: string; properties: Properties; inputs: Properties } | undefined = isImport
        ? await importResource(this.#stack(), kind, id)
        : await readResource(this.#stack(), kind, state.values);
      if (found === undefined) return null;
      return {
        id: found.id ?? id,
        state: markSecrets(kind, found.properties, state),
        inputs: markSecrets(kind, found.inputs, inputs),
      };
    });
  }

  delete(resource: EngineResource, olds: States): Promise<void> {
    return this.#attempt(resource, [olds.inputs, olds.state], async (kind) => {
      using _ = this.#writes.begin();
      await deleteResource(this.#stack(), kind, olds.state.values);
    });
  }

  async invoke(name: string, args: WireProperties): Promise<Invoked> {
    try {
      this.#secretTexts.learn(args);
      const values = await callFunction(name.slice(name.lastIndexOf(':') + 1), args.values, () => this.#stack());
      return { result: { values, secrets: [] }, failures: [] };
    } catch (error) {
      if (error instanceof InvalidArguments) return { result: noProperties, failures: this.#failures(error.problems) };
      throw this.#errorFrom(problemsFrom(error));
    }
  }

  list(name: string, query: WireProperties): Promise<readonly { id: string; name: string }[]> {
    return this.#attempt({ kind: name, urn: '' }, [query], (kind) => listResources(this.#stack(), kind, query.values));
  }

  /** Stops writes before their next call. A call that was sent is finished and recorded. */
  cancel(): void {
    // Without an open stack, nothing was started that could be cancelled.
    this.#opened?.cancel();
  }

  isWriting(): boolean {
    return this.#writes.isBusy(answeringMs);
  }

  /** Resolves when no write is in progress. */
  idle(): Promise<void> {
    return this.#writes.idle();
  }

  /** Opened at the first use, so that a program without resources needs no configuration. */
  #stack(): Stack {
    const hide = (text: string) => this.#secretTexts.hide(text);
    const print: Print = async (text, about) => {
      // A preview shows the calls as views, below the resource.
      if (about === 'plan' && this.#hasViews) return false;
      await this.#options.log(text, this.#currentUrn.getStore() ?? '');
      return true;
    };
    this.#opened ??= openStack(settingsLookup(this.#configured.values), {
      print,
      program: this.#options.program,
      hide,
    });
    return this.#opened;
  }

  /**
   * `known` are the properties that the request contains, the new ones first. @throws Error with the problems in the words of Pulumi; HalfDone
   * for an update that was done in part
   */
  async #attempt<T>(
    resource: EngineResource,
    known: readonly [WireProperties, ...WireProperties[]],
    action: (kind: AnyKind) => Promise<T>,
  ): Promise<T> {
    const [news] = known;
    try {
      const kind = kindNamed(resource.kind);
      for (const properties of known) this.#secretTexts.learn(markedInputs(kind, properties));
      return await this.#currentUrn.run(resource.urn, () => action(kind));
    } catch (error) {
      if (!(error instanceof PartialUpdateError)) throw this.#errorFrom(problemsFrom(error));
      const { id, properties } = error.kept;
      const state = markSecrets(kindNamed(resource.kind), properties, news);
      throw new HalfDone(this.#errorFrom(error.problems).message, { id, state }, news);
    }
  }

  #errorFrom(problems: readonly Problem[]): Error {
    return new Error(this.#redact(formatFor(this.#front, problems)));
  }

  #failures(problems: readonly Problem[]): CheckFailure[] {
    return problems.map((problem) => failureOf(problem, this.#front, (text) => this.#redact(text)));
  }

  #redact(text: string): string {
    return this.#opened?.redact(text) ?? withoutCredentials(this.#secretTexts.hide(text));
  }

  /** Shows what a create or update would do. Without all inputs, nothing can be read and no output is known. */
  async #preview(kind: AnyKind, olds: Properties, news: WireProperties, writing: WriteRequest) {
    if (hasUnknown(news) || hasUnknown(this.#configured)) return { id: '', properties: unpredicted(kind, news.values) };
    const ignored = ignoredPaths(writing.ignoreChanges);
    const { id, plan, properties } = await previewResource(this.#stack(), kind, olds, news.values, ignored);
    const isShown = await writing.show(JSON.parse(this.#secretTexts.hide(JSON.stringify(viewsOf(plan.diff)))));
    if (isShown) this.#stack().announcements.shown(plan.diff?.calls ?? []);
    return { id, properties };
  }
}

/** Undefined kinds reach this only through a schema of another version. @throws ProblemError */
function kindNamed(name: string): AnyKind {
  const kind = kinds.find((each) => each.name === name);
  if (kind !== undefined) return kind;
  const allowed = kinds.map((each) => each.name).join(', ');
  throw new ProblemError([
    { code: 'unknown-kind', found: `${name || 'this resource'} is not a kind of this provider`, allowed },
  ]);
}

function hasUnknown({ values }: WireProperties): boolean {
  return unknownPaths(values).length > 0;
}

/** Registrations have a name and an owner: by default those of the resource and its stack. */
function identityOf(kind: AnyKind, { urn }: EngineResource): Properties {
  if (ownership.of(kind) === undefined) return {};
  const { stack, project, name } = parseUrn(urn);
  return { name, owner: `${project}/${stack}` };
}

/** Returns existing resources, with ids that can be imported. */
async function listResources(stack: Stack, kind: AnyKind, query: Properties) {
  const context = stack.run.live.contextFor({ definition: kind, name: '' });
  const { list } = storedOf(kind);
  if (list !== undefined) return list(query, context);
  const owner = String(query.owner ?? '');
  const records = await liveExport.of(kind)?.exportLive({ name: '', zones: [], owner }, context);
  return Object.keys(records ?? {}).map((name) => ({ id: `${owner}/${name}`, name }));
}
