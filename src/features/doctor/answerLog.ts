/** Observations from the answers of a diagnosis: values that did not fit, and the clock of each server. */
import type { Misfit } from '../../client/reading/misfits.ts';
import type { RequestEvent } from '../../client/transport/requestLog.ts';
import type { Check } from './check.ts';

export class AnswerLog {
  readonly #misfits = new Map<string, Misfit[]>();
  /** The lead of a server's clock over that of this machine, and the uncertainty of that; both in milliseconds. */
  readonly #clocks = new Map<string, { ahead: number; within: number }>();

  add({ method, url, misfits = [], date, ms }: RequestEvent): void {
    const { origin, pathname } = URL.canParse(url) ? new URL(url) : { origin: url, pathname: url };
    if (misfits.length > 0) this.#misfits.set(`${method} ${pathname}`, misfits);
    const time = Date.parse(date ?? '');
    if (Number.isNaN(time)) return;
    // A date has whole seconds, and was made at some time while the request was under way.
    this.addClock(origin, time + 500 - (Date.now() - ms / 2), 500 + ms / 2);
  }

  /** Keeps the most certain reading of each server. */
  addClock(server: string, ahead: number, within: number): void {
    const known = this.#clocks.get(server);
    if (known === undefined || within < known.within) this.#clocks.set(server, { ahead, within });
  }

  misfitChecks(): Check[] {
    return [...this.#misfits].map(([request, misfits]) => {
      const shown = misfits
        .slice(0, mostMisfits)
        .map(({ path, found, expected }) => `${path} is ${found}, not ${expected}`);
      const more = misfits.length > mostMisfits ? `; ${misfits.length - mostMisfits} more with --log-http` : '';
      return { name: 'misfits', result: 'note', text: `${request}: ${shown.join('; ')}${more}` };
    });
  }

  clockCheck(): Check {
    const name = 'clock';
    const clocks = [...this.#clocks];
    if (clocks.length === 0) return { name, result: 'skipped', text: 'no answer contained the time of a server' };
    const wrong = clocks.filter(([, { ahead, within }]) => Math.abs(ahead) > tolerated + within);
    if (wrong.length === 0) return { name, result: 'ok', text: `within ${tolerated / 1000} s of every server` };
    const texts = wrong.map(([server, { ahead }]) => {
      const seconds = Math.round(Math.abs(ahead) / 1000);
      return `${seconds} s ${ahead > 0 ? 'behind' : 'ahead of'} ${server}`;
    });
    const fix = 'synchronize the clocks (NTP): the expiry of keys, due ticks and waits for listings depend on them';
    return { name, result: 'note', text: texts.join('; '), fix };
  }
}

/** Clocks that differ less change nothing. */
const tolerated = 5000;
const mostMisfits = 5;
