import { malformedText } from './address.ts';

/** Returns why a text is not the URL of a server. Never quotes it. */
export function wrongServerUrl(url: string): { why: string; fix: string } | undefined {
  const malformed = url === '' ? undefined : malformedText(url);
  if (malformed !== undefined) return malformed;
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    return { why: 'is not an http or https URL', fix: 'Write it like https://api.example.com.' };
  }
  if (parsed.username || parsed.password || parsed.search || parsed.hash) {
    const fix = 'Keep only the scheme, host, port and path; credentials have a setting of their own.';
    return { why: 'contains credentials, a query or a fragment', fix };
  }
  return undefined;
}

/**
 * Returns the host and port of a URL in one spelling. Leaves out the scheme, because a service answers at the default ports of both, and the
 * path.
 */
export function serverKey(url: string): string {
  if (!URL.canParse(url)) return url;
  const { hostname: host, port } = new URL(url);
  const name = host.toLowerCase().replace(/\.$/, '');
  return `${isThisMachine(name) ? 'loopback' : name}:${port === '80' || port === '443' ? '' : port}`;
}

/** Returns the same for each spelling of a server and a path. */
export function urlKey(url: string): string {
  return serverKey(url) + (URL.parse(url)?.pathname.replace(/\/+$/, '') ?? '');
}

/** Reports whether a host names this machine. `URL` has already normalized `127.1`, `0x7f.1` and `[0:0::1]`. */
function isThisMachine(host: string): boolean {
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    /^127\.\d+\.\d+\.\d+$/.test(host) ||
    host === '0.0.0.0' ||
    /^\[(::1?|::ffff:7f[\da-f]{2}:[\da-f]{1,4})\]$/.test(host)
  );
}
