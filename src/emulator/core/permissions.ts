/** Permission levels of API keys. */

export const permissions = ['Admin', 'Finance', 'Ops', 'Limit', 'User'] as const;

/** Permission level as the specification spells it. */
export type Permission = (typeof permissions)[number];

/** Permission level as programs name it: `emulator.keys.ops`. */
export type Role = Lowercase<Permission>;

export const roles = permissions.map(roleOf);

export function roleOf(permission: Permission): Role {
  return permission.toLowerCase() as Role;
}
