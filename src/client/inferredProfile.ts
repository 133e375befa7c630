/** The part of the service profile that answers show. `service.profile` pins it in the same form. */
import type { ServiceProfileInput } from './profile.ts';

export type InferredProfile = Pick<
  ServiceProfileInput,
  'geolocation' | 'perCountrySwitch' | 'manager' | 'accountRoutes' | 'accountId' | 'datasets'
>;

export interface Inferences {
  add(found: InferredProfile): void;
  /** Returns everything inferred so far; empty if the names of the specification fit. */
  profile(): InferredProfile;
}

export function createInferences(): Inferences {
  let known: InferredProfile = {};
  return {
    add(found) {
      known = {
        ...known,
        ...found,
        ...merged('geolocation', moreOf(known.geolocation, found.geolocation)),
        ...merged('manager', { ...known.manager, ...found.manager }),
      };
    },
    profile: () => known,
  };
}

type Geolocation = InferredProfile['geolocation'];

/** Returns the longer list of names, because the listing of one zone may show fewer databases than that of another. */
function moreOf(known: Geolocation, found: Geolocation): Geolocation {
  return sizeOf(found) > sizeOf(known) ? found : known;
}

function sizeOf(names: Geolocation): number {
  return (names?.others?.length ?? 0) + (names?.first === undefined ? 0 : 1);
}

function merged<Name extends keyof InferredProfile>(name: Name, value: InferredProfile[Name]): InferredProfile {
  return value === undefined || Object.keys(value).length === 0 ? {} : { [name]: value };
}
