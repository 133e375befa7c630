/** A record of a company-profile snapshot (specification, "Snapshot"). Any field may be missing or null, and there may be more. */
import { z } from 'zod';

const text = z.string().nullish();
const count = z.int().nullish();
const list = z.array(z.unknown()).nullish();

const employee = z.looseObject({ img: text, link: text, subtitle: text, title: text });

const similarCompany = z.looseObject({ Links: text, subtitle: text, title: text, location: text });

const update = z.looseObject({
  text,
  time: text,
  title: text,
  comments_count: count,
  likes_count: count,
  external_link: text,
  images: z.array(z.string()).nullish(),
  videos: list,
});

const funding = z.looseObject({ last_round_date: text, last_round_type: text, rounds: count });

/** Reads a row of a company-profile snapshot: `companyProfile.parse(row)`. */
export const companyProfile = z.looseObject({
  about: text,
  description: text,
  slogan: text,
  headquarters: text,
  industries: text,
  sphere: text,
  type: text,
  organization_type: text,
  company_size: text,
  name: text,
  id: text,
  url: text,
  website: text,
  country_code: text,
  company_id: text,
  crunchbase_url: text,
  image: text,
  logo: text,
  employees_in_linkedin: count,
  followers: count,
  founded: count,
  affiliated: list,
  investors: list,
  locations: list,
  formatted_locations: list,
  specialties: z.unknown().optional(),
  stock_info: z.unknown().optional(),
  funding: funding.nullish(),
  get_directions_url: z.array(z.looseObject({ directions_url: text })).nullish(),
  employees: z.array(employee).nullish(),
  similar: z.array(similarCompany).nullish(),
  updates: z.array(update).nullish(),
  input: z.looseObject({ url: text }).nullish(),
});

export type CompanyProfile = z.output<typeof companyProfile>;
