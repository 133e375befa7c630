/** Finds the ports in what a manager says of them: neither the listing of ports nor recent stats are shown in the specification. */

/** The ports in a list of numbers or of objects with a `port`, or in an object keyed by port: sorted; null where it is none of these. */
export function portsIn(value: unknown): number[] | null {
  if (typeof value !== 'object' || value === null) return null;
  const ports = Array.isArray(value) ? value.map(portOf) : Object.keys(value).map(Number);
  return ports.every(isPort) ? [...new Set(ports)].sort((a, b) => a - b) : null;
}

function portOf(item: unknown): number {
  return Number(typeof item === 'object' && item !== null && 'port' in item ? item.port : item);
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port > 0 && port < 65_536;
}
