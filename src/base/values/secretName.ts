/** Returns true if a variable, field, header or parameter of this name holds a secret, in any spelling (`api_key`, `X-Api-Key`, `apiKey`). */
export function isSecretName(name: string): boolean {
  return secretName.test(name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
}

const secretName =
  /authorization|passw(or)?d|passphrase|pwd$|tokens?$|secret|apikey|accesskey|accountkey|privatekey|connectionstring|credential|signature|cookie|^webhookheader|^authheader/;
