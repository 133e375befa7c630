/** The proxy managers that a declaration names. */
import type { AnyKind } from './seam/kind.ts';
import { references } from './seam/references.ts';

interface DeclaringManagers {
  manager: { url?: string | undefined };
  declared: readonly { definition: AnyKind; spec: unknown }[];
}

/** Returns the URL of the default manager, and those that resources name. */
export function declaredManagers({ manager, declared }: DeclaringManagers): string[] {
  const named = declared.flatMap(({ definition, spec }) => references.of(definition)?.managers?.(spec) ?? []);
  return [...new Set([...(manager.url === undefined ? [] : [manager.url]), ...named])];
}
