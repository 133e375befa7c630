/** The values in the answers of a diagnosis that did not fit. */
import type { Misfit } from '../../client/reading/misfits.ts';
import type { RequestEvent } from '../../client/transport/requestLog.ts';
import type { Check } from './check.ts';

export class AnswerLog {
  readonly #misfits = new Map<string, Misfit[]>();

  add({ method, url, misfits = [] }: RequestEvent): void {
    if (misfits.length > 0) this.#misfits.set(`${method} ${URL.parse(url)?.pathname ?? url}`, misfits);
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
}

const mostMisfits = 5;
