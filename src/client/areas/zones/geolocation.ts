/**
 * Names of the geolocation databases in a listing of IPs, which the specification leaves open. Names in the profile take precedence; the
 * others are inferred: keys beside `ip` and in `ext` whose values are country codes.
 */
import { isMapValue } from '../../../base/values/plain.ts';
import type { ServiceProfile } from '../../profile.ts';

export interface GeolocationNames {
  /** Key of the database beside `ip`; undefined if there is none. */
  first: string | undefined;
  /** Keys of the other databases. */
  others: readonly string[];
  /** Databases in the order in which they determine the country. */
  deciding: readonly string[];
  /** True if any name was inferred from the listing. */
  isInferred: boolean;
}

type Entry = Readonly<Record<string, unknown>>;

/** The neutral names in the specification. */
const specified = { first: 'geo_db_1', others: ['geo_db_2', 'geo_db_3', 'geo_db_4'] };

/** Returns the names that the profile pins, and infers the others from the entries. */
export function geolocationNames(
  profile: ServiceProfile['geolocation'],
  entries: readonly unknown[],
): GeolocationNames {
  const sample = entries.slice(0, sampled).filter(isMapValue);
  const beside = profile.first === undefined || profile.others === undefined ? besideIp(sample) : [];
  const first = profile.first ?? beside[0];
  const others = profile.others ?? othersIn(sample, beside, first);
  const known = [...(first === undefined ? [] : [first]), ...others];
  const decides = profile.countryDatabase;
  const deciding = decides === undefined ? known : [decides, ...known.filter((name) => name !== decides)];
  const isPinned = profile.first !== undefined && profile.others !== undefined;
  const isSpecified =
    (first ?? specified.first) === specified.first && others.every((name) => specified.others.includes(name));
  return { first, others, deciding, isInferred: !isPinned && !isSpecified && known.length > 0 };
}

/** Number of entries that are examined, enough to see every key of a uniform listing. */
const sampled = 500;

function besideIp(sample: readonly Entry[]): string[] {
  if (sample.some((entry) => Object.hasOwn(entry, specified.first))) return [specified.first];
  return databaseKeys(sample);
}

function othersIn(sample: readonly Entry[], beside: readonly string[], first: string | undefined): string[] {
  const ext = sample.map((entry) => entry.ext).filter(isMapValue);
  const names = specified.others.filter((name) => ext.some((entry) => Object.hasOwn(entry, name)));
  const inExt = names.length > 0 ? specified.others : databaseKeys(ext);
  return [...new Set([...beside, ...inExt])].filter((name) => name !== first);
}

/** Returns the keys whose values are all country codes, in the order of the entry that has the most of them. */
function databaseKeys(entries: readonly Entry[]): string[] {
  const verdicts = new Map<string, boolean>();
  for (const entry of entries) {
    for (const [key, value] of Object.entries(entry)) {
      if (value === null || value === '' || key === 'ip' || verdicts.get(key) === false) continue;
      verdicts.set(key, typeof value === 'string' && isCountryCode(value.trim()) && !otherCodes.test(key));
    }
  }
  const keys = [...verdicts].flatMap(([key, isDatabase]) => (isDatabase ? [key] : []));
  const fullest = entries.map((entry) => Object.keys(entry).filter((key) => keys.includes(key)));
  const [order = []] = fullest.sort((a, b) => b.length - a.length);
  return [...new Set([...order, ...keys])];
}

/** Keys of other values with two letters. */
const otherCodes =
  /^(?:state|region|province|subdivision|continent|lang(?:uage)?|locale|status|type|currency)(?:_?code)?$/i;

/** ISO 3166-1, and further codes that geolocation databases use. */
const codes: ReadonlySet<string> = new Set(
  `ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo bq br bs bt bv bw by bz ca cc cd cf cg
ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg eh er es et fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm
gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc
li lk lr ls lt lu lv ly ma mc md me mf mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz
om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st sv sx sy sz tc
td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug um us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw
ap eu uk xk xx zz`.split(/\s+/),
);

/** Returns true if a text is the code of a country, in either case. */
function isCountryCode(text: string): boolean {
  return codes.has(text.toLowerCase());
}
