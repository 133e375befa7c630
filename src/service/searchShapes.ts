/**
 * Parsed search pages and reviews (specification, G), under the names of the service. Such a page is paid for, so a field may be
 * missing from it; what the specification does not show is kept.
 */
import { z } from 'zod';

const text = z.string().optional();
const whole = z.int().optional();
const texts = z.array(z.string()).optional();

const general = z.looseObject({
  search_engine: text,
  query: text,
  language: text,
  location: text,
  search_type: text,
  page_title: text,
  results_cnt: whole,
  search_time: z.number().optional(),
  mobile: z.boolean().optional(),
  basic_view: z.boolean().optional(),
  timestamp: text,
});

const extension = z.looseObject({ inline: z.boolean().optional(), type: text, text, rank: whole });

const organic = z.looseObject({
  link: text,
  source: text,
  display_link: text,
  title: text,
  description: text,
  icon: text,
  image: text,
  image_base64: text,
  duration: text,
  duration_sec: whole,
  snippet_highlighted_words: texts,
  extensions: z.array(extension).optional(),
  rank: whole,
  global_rank: whole,
});

const recipe = z.looseObject({
  rating: z.number().optional(),
  reviews_cnt: whole,
  title: text,
  summary: text,
  duration: text,
  volume: text,
  duration_sec: whole,
  ingredients: texts,
});

const image = z.looseObject({
  original_image: text,
  link: text,
  title: text,
  source: text,
  source_logo: text,
  image: text,
  image_alt: text,
  image_base64: text,
  recipe: recipe.optional(),
  rank: whole,
  global_rank: whole,
});

export const searchPage = z.looseObject({
  general: general.optional(),
  input: z.looseObject({ original_url: text, request_id: text }).optional(),
  navigation: z.array(z.looseObject({ title: text, href: text })).default([]),
  organic: z.array(organic).default([]),
  images: z.array(image).default([]),
  knowledge: z.looseObject({ fid: text }).optional(),
});

/** One page of results, usually ten. */
export type SearchPage = z.output<typeof searchPage>;

/** The ids of a review's details that the specification knows; there may be others. */
export type KnownDetailId =
  | 'HOTELS_ASPECT_ROOMS'
  | 'HOTELS_ASPECT_SERVICES'
  | 'HOTELS_ASPECT_LOCATION'
  | 'HOTELS_PILOT_TRIP_TYPE'
  | 'HOTELS_PILOT_TRAVEL_GROUP_TYPE'
  | 'HOTELS_VIBE'
  | 'HOTELS_TIPS_TOPICS_ROOMS'
  | 'HOTELS_TIPS_TOPICS_NEARBY_ACTIVITIES'
  | 'HOTELS_TIPS_TOPICS_SAFETY'
  | 'HOTELS_TIPS_TOPICS_WALKABILITY';

/** The second half keeps the known ones in an editor's suggestions. */
const detailId = z.custom<KnownDetailId | (string & {})>((id) => typeof id === 'string', 'expected string');

const detail = z.looseObject({
  id: detailId.optional(),
  name: text,
  description: text,
  value: z.union([z.int(), z.string()]).optional(),
});

const review = z
  .looseObject({
    review_id: text,
    reviewer: z.looseObject({ profile_photo_url: text, display_name: text, link: text }).optional(),
    link: text,
    source: text,
    source_logo: text,
    rating: text,
    created: text,
    date: text,
    comment: text,
    review_reply: text,
    review_reply_created: text,
    photos: texts,
    details: z.array(detail).default([]),
  })
  .transform((value) => ({ ...value, ratingValue: ratingValueOf(value.rating) }));

/** The ratings are as in `4/5`; `ratingValue` is the 4. */
export const reviewPage = z.looseObject({ reviews: z.array(review) });

/** One page of the reviews of a place, usually ten. */
export type ReviewPage = z.output<typeof reviewPage>;

function ratingValueOf(rating = ''): number | undefined {
  const [, value] = /^\s*(\d+(?:\.\d+)?)\s*\/\s*5\s*$/.exec(rating) ?? [];
  return value === undefined ? undefined : Number(value);
}
