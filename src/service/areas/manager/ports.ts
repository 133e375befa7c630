/** Finds the ports in what a manager says of them: neither the listing of ports nor recent stats are shown in the specification. */
import { isMapValue } from '../../../values/plain.ts';

/** The ports in a list of numbers or of objects with a `port`, or in an object keyed by port: sorted; null where it is none of these. */
export function portsIn(value: unknown): number[] | null {
  if (typeof value !== 'object' || value === null) return null;
  const ports = Array.isArray(value) ? value.map(portOf) : Object.keys(value).map(Number);
  return ports.every(isPort) ? [...new Set(ports)].sort((a, b) => a - b) : null;
}

export interface PortsFound {
  ports: number[];
  /** The key that they were found under, where no one named it; undefined for the answer itself. */
  key: string | undefined;
}

/** The only thing in an answer of unknown shape that can be its ports; null where nothing or more than one thing can. */
export function portsSomewhereIn(value: unknown): PortsFound | null {
  if (isAboutPorts(value)) return { ports: portsIn(value) ?? [], key: undefined };
  if (!isMapValue(value)) return null;
  const candidates = Object.entries(value).filter(([name, field]) => isAboutPorts(field, /port|prox/i.test(name)));
  const [only] = candidates;
  if (only === undefined || candidates.length > 1) return null;
  return { ports: portsIn(only[1]) ?? [], key: only[0] };
}

/** Numbers alone may be anything, such as counts by status: a port has a field that says so, or objects stand under numbers of ports. */
function isAboutPorts(value: unknown, isNamed = false): boolean {
  const ports = portsIn(value);
  if (ports === null || ports.length === 0 || ports.some((port) => port < lowestPort)) return false;
  if (Array.isArray(value)) return isNamed || value.every((item) => isMapValue(item) && 'port' in item);
  return isNamed || (isMapValue(value) && Object.values(value).every((item) => isMapValue(item)));
}

/** Those below are of the system, and statuses and other numbers are among them. */
const lowestPort = 1024;

function portOf(item: unknown): number {
  return Number(typeof item === 'object' && item !== null && 'port' in item ? item.port : item);
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port > 0 && port < 65_536;
}
