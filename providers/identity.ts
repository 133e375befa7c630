/** What the resources of the trigger service have in common: whose they are, and that secrets stay secrets. */
import { getProject, getStack, type Input, type Output, output, secret } from '@pulumi/pulumi';

/** By default: the resource's own name, and the stack as the owner. */
export function identity(name: string): { name: string; owner: string } {
  return { name, owner: `${getProject()}/${getStack()}` };
}

/** These arguments as secrets, so that the state has them encrypted whatever they were. */
export function asSecrets(args: object, names: readonly string[]): Record<string, Output<unknown>> {
  const given = Object.entries(args).filter(([name, value]) => names.includes(name) && value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, secret<unknown>(value)]));
}

/** A delivery by name is no secret; one that stands there may hold some. */
export function secretUnlessName(delivery: Input<string | object>): Output<unknown> {
  return output<string | object>(delivery).apply((given) =>
    typeof given === 'string' ? output<unknown>(given) : secret<unknown>(given),
  );
}
