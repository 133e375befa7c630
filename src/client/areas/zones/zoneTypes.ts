/** The network types and products of zones (specification, "Zone"). */

/** The four networks, followed by the other products. */
export const zoneTypes = ['datacenter', 'isp', 'residential', 'mobile', 'unlocker', 'search', 'browser'] as const;

export type ZoneType = (typeof zoneTypes)[number];

/** Known types of zones by name. Zones that are missing here are not checked. */
export type ZoneTypes = Readonly<Record<string, ZoneType>>;
