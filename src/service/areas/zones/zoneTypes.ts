/** The network types and products of zones (specification, "Zone"). */

/** The four networks first, then the other products. */
export const zoneTypes = ['datacenter', 'isp', 'residential', 'mobile', 'unlocker', 'search', 'browser'] as const;

export type ZoneType = (typeof zoneTypes)[number];

/** The types of zones by name, as far as the caller knows them: what is not in it is not checked. */
export type ZoneTypes = Readonly<Record<string, ZoneType>>;
