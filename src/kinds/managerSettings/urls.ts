import type { Context, LiveTarget } from '../seam/context.ts';
import type { ManagerSettingsSpec as Spec } from './spec.ts';

/** Returns the configured manager and those that are declared, each with the name of its resource. */
export function managerUrls(
  { managerUrl, declared }: LiveTarget<Spec>,
  context: Context<Spec>,
): Map<string, string | undefined> {
  const declaredUrls = [...declared].map(([name, { url }]) => [context.manager(url).url, name] as const);
  return new Map([
    ...(managerUrl === undefined ? [] : [[context.manager(managerUrl).url, undefined] as const]),
    ...declaredUrls,
  ]);
}
