/**
 * The backend of an account. An account is a server and, if several accounts share it, a name; a front without a name belongs to the one that the
 * backend, or else this machine, knows at the server. The name is decided when the backend is opened, and once more under the lock: until then, a
 * first run may have named the account.
 */
import { renderFix } from '../../base/diagnostics/fix.ts';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import type { Backend, LockOptions, LogReader, Memories } from '../backend/backend.ts';
import type { LockHolder } from '../backend/holder.ts';
import { forgetBaseline } from '../baseline/baselineDocument.ts';
import type { Config } from '../declaration/config.ts';
import { type AccountIdentity, serverOf } from './accountIdentity.ts';
import { type Names, type NamesByServer, readNames, writeName } from './accountNames.ts';
import { takeOver } from './takeOver.ts';

type Servers = Pick<Config, 'account' | 'service' | 'manager' | 'triggers'>;

/** The memories of accounts in which a front looks. */
interface Places {
  /** The backend. */
  memories: Memories;
  /** The log of this machine, unless that is the backend. */
  machine?: Memories | undefined;
  /** The folder beside the declaration, unless that is the backend. */
  folder?: Memories | undefined;
}

const namingMs = 10_000;

interface Known {
  here: NamesByServer;
  onMachine: NamesByServer;
}

export interface OtherAccounts {
  names: readonly string[];
  memories: readonly Backend[];
}

export class AccountBackend implements Backend {
  readonly #memories: Memories;
  readonly #machine: Memories | undefined;
  /** The memory in the folder beside the declaration, if the backend is another one. */
  readonly folder: Backend | undefined;
  /** True for a name without a run so far, where the backend knows others at the server. */
  readonly isNewName: boolean;
  readonly #declared: string | undefined;
  readonly #server: string;
  readonly #origin: string;
  #known: Known;
  #memory: Backend;

  static async open(places: Places, servers: Servers): Promise<AccountBackend> {
    return new AccountBackend(places, servers, await namesOf(places));
  }

  private constructor(places: Places, servers: Servers, known: Known) {
    const { memories, machine, folder } = places;
    this.#memories = memories;
    this.#machine = machine;
    this.#declared = servers.account;
    this.#server = serverOf(servers);
    this.#origin = servers.service.url ?? '';
    this.#known = known;
    this.#memory = memories(this.#memoryKey());
    this.folder = folder?.(this.#memoryKey());
    this.isNewName = this.#name() !== undefined && !this.#isKnown('here') && this.#namesIn('here').size > 0;
  }

  /** The account, with all of its names. */
  get identity(): AccountIdentity {
    const name = this.#name();
    const names = [...this.#namesIn('here'), ...this.#namesIn('onMachine')];
    const formerly = names.flatMap(([each, present]) => (present === name && each !== name ? [each] : []));
    return { account: name, origin: this.#origin, formerly };
  }

  /** Returns a configuration with the name of the account. */
  named<C extends Servers>(config: C): C {
    return { ...config, account: this.#name() };
  }

  /** @throws ProblemError if the front names none of several accounts */
  assertNamed(): void {
    const accounts = this.#candidates();
    if (this.#declared === undefined && accounts.length > 1) throw new ProblemError([unnamed(this.#server, accounts)]);
  }

  /** The names of other accounts at the server, as far as the place knows them. */
  get otherNames(): string[] {
    return presentNames(this.#namesIn('here')).filter((name) => name !== this.#name());
  }

  /** The other servers at which the name of this account is known. */
  get otherServers(): string[] {
    const name = this.#name();
    const servers = [...this.#known.here, ...this.#known.onMachine].flatMap(([server, names]) =>
      server !== this.#server && [...names.values()].some((each) => each === name) ? [server] : [],
    );
    return [...new Set(servers)];
  }

  /** Returns the memory of another account at the server. */
  memoryOf(name: string): Backend {
    return this.#memories(name);
  }

  /** Returns the other accounts that are known at the server by now, and their memories if these have logs of their own. */
  async others(): Promise<OtherAccounts> {
    const { here, onMachine } = await namesOf({ memories: this.#memories, machine: this.#machine });
    const known = [here, onMachine].flatMap((names) => presentNames(names.get(this.#server) ?? new Map()));
    const names = [...new Set(known)].filter((name) => name !== this.#name());
    return { names, memories: this.isShared ? names.map((name) => this.memoryOf(name)) : [] };
  }

  /** Takes up to three locks one after the other: a new name waits for those of its places before it waits for that of the account. */
  async withLock<T>(
    given: LockOptions,
    action: (lost: AbortSignal, assertHeld: () => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const options = waitingOnce(given);
    for (;;) {
      this.assertNamed();
      await this.#makeKnown(options);
      const memory = this.#memory;
      const ended = await memory.withLock(options, async (lost, assertHeld) => {
        await this.#look();
        this.assertNamed();
        return this.#memory === memory ? { result: await action(lost, assertHeld) } : undefined;
      });
      if (ended !== undefined) return ended.result;
    }
  }

  /** Writes the name where it is not known. The memory of fronts without a name belongs to the first one. */
  async #makeKnown(options: LockOptions): Promise<void> {
    const name = this.#name();
    if (name === undefined || this.#server === '') return;
    const places = [
      this.#isKnown('onMachine') ? undefined : this.#machine,
      this.#isKnown('here') ? undefined : this.#memories,
    ];
    for (const memories of places.filter((each) => each !== undefined)) {
      const unnamed = memories(this.#server);
      // Other first runs at the server take a moment.
      const lock = { ...options, timeoutMs: Math.max(options.timeoutMs, namingMs) };
      await unnamed.withLock(lock, async () => {
        const isFirst = ((await readNames(memories)).get(this.#server)?.size ?? 0) === 0;
        const own = memories(name);
        if (isFirst) await own.withLock(lock, () => moveMemory(unnamed, own));
        await writeName(memories, { server: this.#server, name }, lock);
      });
    }
    await this.#look();
  }

  /** Takes over the runs and the baseline of an earlier name, which is another name of this account from then on. */
  async adopt(former: string, options: LockOptions): Promise<void> {
    return this.withLock(options, async () => {
      const { account: present } = this.identity;
      if (present === undefined || !this.otherNames.includes(former))
        throw new ProblemError([notAdoptable(former, this.#server, this.otherNames)]);
      const theirs = this.memoryOf(former);
      await theirs.withLock(options, () => moveMemory(theirs, this.#memory));
      const renamed = { server: this.#server, name: former, present };
      if (this.#machine !== undefined) await writeName(this.#machine, renamed, options);
      await writeName(this.#memories, renamed, options);
    });
  }

  /** Reads again what is known. The memory is another one if that has changed. */
  async #look(): Promise<void> {
    this.#known = await namesOf({ memories: this.#memories, machine: this.#machine });
    const key = this.#memoryKey();
    if (key !== this.#memory.account) this.#memory = this.#memories(key);
  }

  #namesIn(where: keyof Known): Names {
    return this.#known[where].get(this.#server) ?? new Map();
  }

  #isKnown(where: keyof Known): boolean {
    return [...this.#namesIn(where).values()].some((name) => name === this.#name());
  }

  /** The accounts that a front without a name may belong to. */
  #candidates(): string[] {
    const here = presentNames(this.#namesIn('here'));
    return here.length > 0 ? here : presentNames(this.#namesIn('onMachine'));
  }

  #name(): string | undefined {
    const declared = this.#declared;
    if (declared !== undefined) {
      return this.#namesIn('here').get(declared) ?? this.#namesIn('onMachine').get(declared) ?? declared;
    }
    const [name, second] = this.#candidates();
    return second === undefined ? name : undefined;
  }

  /** Until a place knows a name at the server, its memory is that of fronts without a name. */
  #memoryKey(): string {
    const name = this.#name();
    if (name === undefined) return this.#server;
    const isNew = [...this.#known.here.values()].every((names) => !presentNames(names).includes(name));
    return isNew && this.#server !== '' && this.#namesIn('here').size === 0 ? this.#server : name;
  }

  get account(): string {
    return this.#memory.account;
  }

  get address(): string {
    return this.#memory.address;
  }

  get logName(): string {
    return this.#memory.logName;
  }

  get isShared(): boolean {
    return this.#memory.isShared;
  }

  async lockHolder(): Promise<LockHolder | undefined> {
    this.assertNamed();
    return this.#memory.lockHolder();
  }

  async breakLock(options: LockOptions): Promise<void> {
    this.assertNamed();
    return this.#memory.breakLock(options);
  }

  async openLog(): Promise<LogReader | undefined> {
    // The log of a folder has the runs of all accounts.
    if (this.isShared) this.assertNamed();
    return this.#memory.openLog();
  }

  readonly appendToLog: Backend['appendToLog'] = () => this.#memory.appendToLog();
  readonly dropLines: Backend['dropLines'] = (isDropped) => this.#memory.dropLines(isDropped);
  readonly readDocument: Backend['readDocument'] = (name) => this.#memory.readDocument(name);
  readonly readDocuments: Backend['readDocuments'] = (name) => this.#memory.readDocuments(name);
  readonly updateDocument: Backend['updateDocument'] = (name, update) => this.#memory.updateDocument(name, update);
  readonly risk = async () => this.#memory.risk?.();
  readonly close: Backend['close'] = () => this.#memory.close();
}

/** A run that waits for several locks says so once. */
function waitingOnce({ onWait, ...options }: LockOptions): LockOptions {
  let hasSaid = false;
  return {
    ...options,
    onWait: (holder) => {
      if (!hasSaid) onWait?.(holder);
      hasSaid = true;
    },
  };
}

/** Call it with the locks of both. The runs stay where they were, too. */
async function moveMemory(from: Backend, to: Backend): Promise<void> {
  await takeOver(from, to);
  await forgetBaseline(from);
}

async function namesOf({ memories, machine }: Places): Promise<Known> {
  const [here, onMachine] = await Promise.all([
    readNames(memories),
    machine === undefined ? new Map() : readNames(machine),
  ]);
  return { here, onMachine };
}

function presentNames(names: Names): string[] {
  return [...new Set(names.values())];
}

function notAdoptable(name: string, server: string, others: readonly string[]): Problem {
  return {
    code: 'account-not-known',
    found: `${hostOf(server)} has no other account with the name ${name}`,
    allowed: others.length === 0 ? 'an earlier name of the account that is declared now' : others.join(', '),
    fix: '`webdata doctor` shows the accounts at a server',
  };
}

function hostOf(server: string): string {
  return server.replace(/:$/, '');
}

function unnamed(server: string, accounts: readonly string[]): Problem {
  return {
    code: 'account-not-named',
    found: `${hostOf(server)} has the accounts ${accounts.join(' and ')}, and no name says which of them is meant`,
    allowed: `one of these names, or a new one`,
    ...renderFix(({ setAccount }) => setAccount),
  };
}
