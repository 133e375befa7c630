/** Pages for proxied requests: those in the account file, and real ones on allowed hosts. */
import { Refusal } from '../core/refusal.ts';
import type { Account } from './account.ts';

export interface TargetPage {
  status: number;
  type: string;
  text: string;
}

type Reachable = Pick<Account, 'pages' | 'targets'>;

/** Returns the page at a URL. @throws Refusal for a URL that is neither in the account file nor allowed, or that cannot be reached */
export async function pageAt(url: string, { pages, targets }: Reachable): Promise<TargetPage> {
  const { href, host, hostname } = new URL(url);
  const page = carried(href, pages);
  if (page !== undefined) return { status: page.status, type: page.type, text: page.body };
  if (targets.includes(host) || targets.includes(hostname)) return fetched(href);
  throw unreachable(href, `the emulator has no page for it, and ${host} is not one of its targets`);
}

/** Returns the page of this URL, or the one with the longest matching prefix. */
function carried(href: string, pages: Reachable['pages']) {
  const starts = Object.keys(pages).filter((key) => key.endsWith('*') && href.startsWith(key.slice(0, -1)));
  const exact = Object.keys(pages).find((key) => URL.parse(key)?.href === href);
  const chosen = exact ?? starts.sort((a, b) => b.length - a.length)[0];
  return chosen === undefined ? undefined : pages[chosen];
}

const patienceMs = 10_000;

/** Fetches a page without following redirects, which may lead to hosts that are not allowed. */
async function fetched(href: string): Promise<TargetPage> {
  try {
    const response = await fetch(href, { redirect: 'manual', signal: AbortSignal.timeout(patienceMs) });
    const type = response.headers.get('content-type') ?? 'application/octet-stream';
    return { status: response.status, type, text: await response.text() };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    throw unreachable(href, cause?.code ?? message);
  }
}

function unreachable(href: string, why: string): Refusal {
  return new Refusal('invalid-request', `url: ${href} cannot be reached: ${why}`);
}
