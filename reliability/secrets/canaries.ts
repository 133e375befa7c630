/** Canary secrets, one of every kind, and the forms in which each may appear. */

/** Some contain characters that URLs, JSON and base64 encode. */
export const canaries = {
  apiKey: 'canary+ops/key="1&2%3D"==',
  otherKey: 'canary+admin/key="1&2%3D"==',
  managerToken: 'canary+manager/token=',
  settingsPassword: 'canary-settings-password-1',
  zonePassword: 'canary-zone-password-1',
  proxyPassword: 'canary+proxy:pass@word/1=',
  hookAuthorization: 'Bearer canary+hook/authorization=',
  literalAuthorization: 'Bearer canary+literal/authorization=',
  endpointToken: 'canary+endpoint/token=',
  s3AccessKey: 'CANARYACCESSKEY00001',
  s3SecretKey: 'canary+s3/secret/key/AAAAAAAAAAAAAAAAAAA',
  storeKey: Buffer.from('canary-store-key-of-32-bytes-abc').toString('base64'),
  triggersToken: 'canary+triggers/token==',
  storePassword: 'canary-postgres-password-1',
  receiverAuthorization: 'Bearer canary+receiver/authorization=',
  userInfo: 'canary-user-info-1',
  backendSecretKey: 'canary+backend/secret/key/BBBBBBBBBBBBBBB',
  backendPassword: 'canary+backend:pass@word/1=',
} as const;

export type CanaryName = keyof typeof canaries;

/** Returns the secret itself, and its forms in URLs and form data, JSON, hexadecimal, and base64 at each of its three offsets. */
export function formsOf(secret: string): string[] {
  const base64 = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]).toString('base64');
    return text.slice(offset === 0 ? 0 : 4, -4);
  });
  const encoded = encodeURIComponent(secret);
  return [secret, encoded, encodeURIComponent(encoded), encoded.toLowerCase(), JSON.stringify(secret).slice(1, -1)]
    .concat(
      base64,
      base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    )
    .concat(new URLSearchParams({ v: secret }).toString().slice(2), Buffer.from(secret).toString('hex'));
}

/** Without the scheme of a header, which is not secret. */
const all = Object.entries(canaries).map(([name, secret]) => ({
  name: name as CanaryName,
  forms: [...new Set(formsOf(secret.replace(/^Bearer /, '')))],
}));

/** The number of texts that are searched for. */
export const formsCount = all.reduce((sum, { forms }) => sum + forms.length, 0);

/** Returns the canaries that a text contains, with their form. */
export function shownIn(text: string, allowed: readonly CanaryName[] = []): string[] {
  return all.flatMap(({ name, forms }) => {
    const form = allowed.includes(name) ? undefined : forms.find((each) => text.includes(each));
    return form === undefined ? [] : [`${name} as ${form}`];
  });
}
