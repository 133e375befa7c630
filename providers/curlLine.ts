/** A delivery as a command to try its webhook with: what the service would send, and no secret. */
import { redactor } from '../src/service/redact.ts';

export interface Called {
  endpoint?: string | undefined;
  compression: 'gzip' | 'none';
  isAuthorized: boolean;
}

/** Empty where there is no webhook. The secret stands in the variable AUTHORIZATION of the shell. */
export function curlLine({ endpoint, compression, isAuthorized }: Called): string {
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
