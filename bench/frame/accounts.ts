/** Accounts of any size and declarations for them, the same on every run. */

interface Size {
  ips: number;
  zones: number;
  /** The number of IPs that are declared in another zone than the live one. */
  moves: number;
  /** The number of zone pairs between which IPs move, each with a source and a target. By default, every zone is both. */
  pairs?: number;
  /** The share of zones that declare counts by country in place of IPs. By turns, they have one IP too few and one too many. By default, none. */
  countedShare?: number;
}

const countries = ['us', 'de', 'gb', 'fr', 'jp'] as const;

/** Returns the account file of the emulator: every zone has the same number of IPs, in five countries. */
export function accountFor({ ips, zones }: Pick<Size, 'ips' | 'zones'>): string {
  const each = ips / zones;
  const part = Math.ceil(each / countries.length);
  const lines = ['id: hl_bench', 'zones:'];
  for (let zone = 0; zone < zones; zone += 1) {
    lines.push(`  ${zoneName(zone)}:`, '    ips:');
    for (const [index, country] of countries.entries()) {
      const [first, last] = [index * part, Math.min(each, (index + 1) * part) - 1];
      if (first <= last)
        lines.push(`      ${country}: [${address(zone * each + first)}-${address(zone * each + last)}]`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Returns the declaration: every IP by its address, `moves` of them in another zone than in the account; the last zones by counts. */
export function declarationFor({ ips, zones, moves, pairs, countedShare = 0 }: Size): string {
  const counted = Math.floor(zones * countedShare);
  const listed = { ips: ips - (ips / zones) * counted, zones: zones - counted, moves };
  const lines = ['zoneIpAllocations:', '  static:', `    maxMoves: ${Math.max(1, moves + counted)}`, '    zones:'];
  for (const [zone, held] of declaredZones({ ...listed, ...(pairs !== undefined && { pairs }) }).entries()) {
    lines.push(`      ${zoneName(zone)}:`, '        ips:');
    for (const index of held) lines.push(`          - ${address(index)}`);
  }
  const each = ips / zones / countries.length;
  for (let zone = listed.zones; zone < zones; zone += 1) {
    const counts = countries.map(
      (country, index) => `${country}: ${index > 0 ? each : each + (zone % 2 === 0 ? 1 : -1)}`,
    );
    lines.push(`      ${zoneName(zone)}: { count: { ${counts.join(', ')} } }`);
  }
  return `${lines.join('\n')}\n`;
}

/** The numbers of the IPs that each zone should hold. */
function declaredZones({ ips, zones, moves, pairs }: Size): number[][] {
  const each = ips / zones;
  const held = Array.from({ length: zones }, (_, zone) =>
    Array.from({ length: each }, (_, index) => zone * each + index),
  );
  const givers = pairs ?? zones;
  for (let move = 0; move < moves; move += 1) {
    const giver = pairs === undefined ? move % givers : (move % givers) * 2;
    const given = held[giver]?.shift();
    const taker = held[(giver + 1) % zones];
    if (given === undefined || taker === undefined) throw new Error('more moves than IPs');
    taker.push(given);
  }
  return held;
}

export function zoneName(zone: number): string {
  return `zone-${String(zone).padStart(5, '0')}`;
}

/** An address in 10.0.0.0/8, which is private. */
export function address(index: number): string {
  return `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
}
