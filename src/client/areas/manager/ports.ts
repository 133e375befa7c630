/** Finds the ports in an answer of a manager. The specification shows neither the listing of ports nor recent stats. */
import { isMapValue } from '../../../base/values/plain.ts';

/** Returns the sorted ports in a list of numbers, a list of objects with a `port`, or an object keyed by port; null for anything else. */
export function portsIn(value: unknown): number[] | null {
  if (typeof value !== 'object' || value === null) return null;
  const ports = Array.isArray(value) ? value.map(portOf) : Object.keys(value).map(Number);
  return ports.every(isPort) ? [...new Set(ports)].sort((a, b) => a - b) : null;
}

interface PortsFound {
  ports: number[];
  /** Key under which the ports were found; undefined if the answer itself holds them. */
  key: string | undefined;
}

/** Returns the only part of an answer of unknown shape that can be the ports; null if there is none or more than one. */
export function portsSomewhereIn(value: unknown): PortsFound | null {
  if (isAboutPorts(value)) return { ports: portsIn(value) ?? [], key: undefined };
  if (!isMapValue(value)) return null;
  const candidates = Object.entries(value).filter(([name, field]) => isAboutPorts(field, /port|prox/i.test(name)));
  const [only] = candidates;
  if (only === undefined || candidates.length > 1) return null;
  return { ports: portsIn(only[1]) ?? [], key: only[0] };
}

/**
 * Returns true if a value can only be ports. Bare numbers may be anything, such as counts by status, so their name must say it, or there
 * must be a `port` field or objects keyed by port.
 */
function isAboutPorts(value: unknown, isNamed = false): boolean {
  const ports = portsIn(value);
  if (ports === null || ports.length === 0 || ports.some((port) => port < lowestPort)) return false;
  if (Array.isArray(value)) return isNamed || value.every((item) => isMapValue(item) && 'port' in item);
  return isNamed || (isMapValue(value) && Object.values(value).every((item) => isMapValue(item)));
}

/** Lowest port that is recognised. Smaller numbers are system ports, statuses or counts. */
const lowestPort = 1024;

function portOf(item: unknown): number {
  return Number(typeof item === 'object' && item !== null && 'port' in item ? item.port : item);
}

export function isPort(port: number): boolean {
  return Number.isInteger(port) && port > 0 && port < 65_536;
}
