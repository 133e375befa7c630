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
