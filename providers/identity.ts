/** Arguments that the resources of the trigger service share: name, owner and secrets. */
import { getProject, getStack, type Input, type Output, output, secret } from '@pulumi/pulumi';
import { hasCredentials } from './core/credentials.ts';

/** Returns the defaults: the name of the resource, and the stack as the owner. */
export function identity(name: string): { name: string; owner: string } {
  return { name, owner: `${getProject()}/${getStack()}` };
}

/** Returns these arguments as secrets, so that the state has them encrypted even if the program did not mark them. */
export function asSecrets(args: object, names: readonly string[]): Record<string, Output<unknown>> {
  const given = Object.entries(args).filter(([name, value]) => names.includes(name) && value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, secret<unknown>(value)]));
}

/** Returns a value as it is, or as a secret: by default if it contains a URL with credentials. */
export function secretIf(value: Input<string | object>, isSecret: (given: unknown) => boolean = hasCredentials) {
  return output<string | object>(value).apply((given) =>
    isSecret(given) ? secret<unknown>(given) : output<unknown>(given),
  );
}
