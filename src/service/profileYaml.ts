/** Writes a part of the service profile as YAML on one line, ready to paste into the declaration. */
import { isMapValue } from '../values/plain.ts';
import type { ServiceProfileInput } from './profile.ts';

/** Returns YAML such as `service: { profile: { geolocation: { first: maxmind } } }`. */
export function profileYaml(profile: ServiceProfileInput): string {
  return `service: ${flow({ profile })}`;
}

function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (!isMapValue(value)) return scalar(value);
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{ ${entries.map(([name, field]) => `${scalar(name)}: ${flow(field)}`).join(', ')} }`;
}

/** Quotes a value unless it is a plain word. JSON strings are valid YAML. */
function scalar(value: unknown): string {
  const isPlain =
    typeof value === 'string' &&
    /^[A-Za-z_][\w.-]*$/.test(value) &&
    !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value);
  return isPlain ? value : JSON.stringify(value);
}
