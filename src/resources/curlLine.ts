/** A delivery as a command to try its webhook with: what the service would send, and no secret. */
import { redactor } from '../service/redact.ts';
import type { DeliverySpec } from '../triggers/deliverySpec.ts';

/** Empty where there is no webhook. The secret stands in a variable of the shell. */
export function curlLine({ endpoint, compression, authorization }: DeliverySpec): string {
  if (endpoint === undefined) return '';
  const isGzip = compression === 'gzip';
  const headers = [
    'Content-Type: application/json',
    ...(isGzip ? ['Content-Encoding: gzip'] : []),
    ...(authorization === undefined ? [] : [`Authorization: $${variableOf(authorization)}`]),
  ];
  const words = ['curl', '-X POST', ...headers.map((header) => `-H "${header}"`), '--data-binary @-'];
  const call = [...words, quoted(redactor()(endpoint))].join(' ');
  return isGzip ? `echo '[]' | gzip | ${call}` : `echo '[]' | ${call}`;
}

function variableOf(authorization: NonNullable<DeliverySpec['authorization']>): string {
  return typeof authorization === 'object' && 'env' in authorization ? authorization.env : 'AUTHORIZATION';
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
