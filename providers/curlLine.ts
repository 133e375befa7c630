/** A command that tries the webhook of a delivery: it sends what the service would send, and contains no secret. */
import { redactor } from '../src/client/redact.ts';

interface Webhook {
  endpoint?: string | undefined;
  compression: 'gzip' | 'none';
  isAuthorized: boolean;
}

/** Returns an empty text without a webhook. The command takes the secret from the shell variable AUTHORIZATION. */
export function curlLine({ endpoint, compression, isAuthorized }: Webhook): string {
  if (endpoint === undefined) return '';
  const isGzip = compression === 'gzip';
  const headers = [
    'Content-Type: application/json',
    ...(isGzip ? ['Content-Encoding: gzip'] : []),
    ...(isAuthorized ? ['Authorization: $AUTHORIZATION'] : []),
  ];
  const words = ['curl', '-X POST', ...headers.map((header) => `-H "${header}"`), '--data-binary @-'];
  const call = [...words, quoted(redactor()(endpoint))].join(' ');
  return isGzip ? `echo '[]' | gzip | ${call}` : `echo '[]' | ${call}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
