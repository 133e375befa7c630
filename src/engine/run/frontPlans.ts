/**
 * The plans of a front that learns of its resources one after the other: each is planned with the calls of those before it expected, and again once
 * a later one may have released what it needs.
 */
import pLimit from 'p-limit';
import type { Problem } from '../../base/diagnostics/problem.ts';
import type { Call } from '../../kinds/seam/call.ts';
import type { Diff } from '../../kinds/seam/kind.ts';
import { mayBeResolved } from '../plan/plan.ts';
import { type LiveComparison, type PlannedDiff, planInRounds, planResource } from '../plan/planResource.ts';
import type { InFlight, WithheldMove } from './inFlight.ts';
import type { Session } from './session.ts';

/** A resource that a front declares. */
export interface FrontTarget {
  /** Equal for equal declarations. */
  key: string;
  /** Reads the live state in the session for planning, and compares. */
  compare(): Promise<LiveComparison>;
  /** Accepted moves of an earlier update that no listing shows. */
  unseen?: readonly WithheldMove[] | undefined;
}

/** The messages of a front about its plans. */
export interface PlanMessages<Target> {
  planned(target: Target, plan: PlannedDiff): Promise<void>;
  /** A resource that a later one may help. */
  waiting(target: Target, problems: readonly Problem[]): Promise<void>;
}

interface FrontPlansOptions<Target> {
  planning: Session;
  inFlight: InFlight;
  /** Looks up what others sent. */
  look(): Promise<void>;
  messages: PlanMessages<Target>;
}

export class FrontPlans<Target extends FrontTarget> {
  readonly #options: FrontPlansOptions<Target>;
  readonly #plans = new Map<string, PlannedDiff>();
  #waiting: Target[] = [];
  /** No plan begins until the one before it has been shown. */
  readonly #oneAtATime = pLimit(1);

  constructor(options: FrontPlansOptions<Target>) {
    this.#options = options;
  }

  /** Plans a declared resource, once. */
  add(target: Target): Promise<PlannedDiff> {
    return this.#oneAtATime(async () => {
      const known = this.#plans.get(target.key);
      if (known !== undefined) return known;
      const planned = await this.#plan(target);
      if (mayBeResolved(planned.problems)) {
        this.#waiting.push(target);
        await this.#options.messages.waiting(target, planned.problems);
      }
      const { left } = await planInRounds(
        this.#waiting,
        (waiting) => this.#plan(waiting),
        ({ problems }) => problems.length > 0,
      );
      this.#waiting = left.map((each) => each.target);
      return this.#plans.get(target.key) ?? planned;
    });
  }

  /** Returns the calls of a resource that was planned. */
  of(key: string): Diff | undefined {
    return this.#plans.get(key)?.diff;
  }

  /** Returns the calls that were planned for other resources. */
  callsBeside(key: string): Call[] {
    return [...this.#plans].flatMap(([other, { diff }]) => (other === key ? [] : (diff?.calls ?? [])));
  }

  /** Returns true if the resource was planned, and needs no call. */
  isAsDeclared(key: string): boolean {
    const { diff, problems } = this.#plans.get(key) ?? {};
    return diff?.calls.length === 0 && problems?.length === 0;
  }

  /** Returns true once calls are expected: the session for planning does not show the live state any more. */
  expectsCalls(): boolean {
    return [...this.#plans.values()].some(
      ({ diff, problems }) => problems.length === 0 && diff && diff.calls.length > 0,
    );
  }

  async #plan(target: Target): Promise<PlannedDiff> {
    const { planning, inFlight, look, messages } = this.#options;
    await look();
    const { diff, ...found } = await planResource(target.compare, { views: planning, inFlight, unseen: target.unseen });
    // Listings that lag are no basis for calls.
    const planned = found.withheld.length === 0 ? { ...found, diff } : found;
    this.#plans.set(target.key, planned);
    await messages.planned(target, planned);
    return planned;
  }
}
