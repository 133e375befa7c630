/**
 * Parsed search pages and reviews (specification, G), under the names of the service. They are billed, so no field makes them fail:
 * fields may be missing or null, and one of an unexpected form is kept unchanged.
 */
import { isMapValue } from '../../../base/values/plain.ts';
import {
  flag,
  list,
  number,
  object,
  optional,
  type Reader,
  reportedError,
  ShapeFault,
  text,
} from '../../reading/readers.ts';

const words = optional(text);
const amount = optional(number);
const yes = optional(flag);
const texts = optional(list(text));

const general = object({
  search_engine: words,
  query: words,
  language: words,
  location: words,
  search_type: words,
  page_title: words,
  results_cnt: amount,
  search_time: amount,
  mobile: yes,
  basic_view: yes,
  timestamp: words,
});

const extension = object({ inline: yes, type: words, text: words, rank: amount });

const organic = object({
  link: words,
  source: words,
  display_link: words,
  title: words,
  description: words,
  icon: words,
  image: words,
  image_base64: words,
  duration: words,
  duration_sec: amount,
  snippet_highlighted_words: texts,
  extensions: optional(list(extension)),
  rank: amount,
  global_rank: amount,
});

const recipe = object({
  rating: amount,
  reviews_cnt: amount,
  title: words,
  summary: words,
  duration: words,
  volume: words,
  duration_sec: amount,
  ingredients: texts,
});

const image = object({
  original_image: words,
  link: words,
  title: words,
  source: words,
  source_logo: words,
  image: words,
  image_alt: words,
  image_base64: words,
  recipe: optional(recipe),
  rank: amount,
  global_rank: amount,
});

const page = object({
  general: optional(general),
  input: optional(object({ original_url: words, request_id: words })),
  navigation: list(object({ title: words, href: words })),
  organic: list(organic),
  images: list(image),
  knowledge: optional(object({ fid: words })),
});

/** One page of results, usually ten. */
export type SearchPage = ReturnType<typeof page> &
  Pick<Required<ReturnType<typeof page>>, 'navigation' | 'organic' | 'images'>;

const pageFields = ['general', 'input', 'navigation', 'organic', 'images', 'knowledge'];

export const searchPage: Reader<SearchPage> = (value, at) => {
  const found = page(knownAnswer(value, pageFields, ['organic', 'images'], 'a search page', at.path), at);
  return found as SearchPage;
};

/** Ids of a review's details in the specification; there may be others. */
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

/** The second half of the type keeps the suggestions of editors. */
const detailId: Reader<KnownDetailId | (string & {})> = text;

/** Reads a number or a text without converting it. */
const numberOrText: Reader<number | string> = (value, at) => (typeof value === 'number' ? value : text(value, at));

const detail = object({ id: optional(detailId), name: words, description: words, value: optional(numberOrText) });

const documentedReview = object({
  review_id: words,
  reviewer: optional(object({ profile_photo_url: words, display_name: words, link: words })),
  link: words,
  source: words,
  source_logo: words,
  rating: words,
  created: words,
  date: words,
  comment: words,
  review_reply: words,
  review_reply_created: words,
  photos: texts,
  details: list(detail),
});

type DocumentedReview = ReturnType<typeof documentedReview>;

/** A review. `rating` is text such as `4/5`; `ratingValue` is the 4. */
type Review = DocumentedReview & Pick<Required<DocumentedReview>, 'details'> & { ratingValue: number | undefined };

const review: Reader<Review> = (value, at) => {
  const read = documentedReview(value, at) as Review;
  return { ...read, ratingValue: ratingValueOf(read.rating) };
};

const reviews = object({ reviews: list(review) });

/** One page of the reviews of a place, usually ten. */
export type ReviewPage = ReturnType<typeof reviews> & { reviews: Review[] };

export const reviewPage: Reader<ReviewPage> = (value, at) => {
  const named = Array.isArray(value) ? { reviews: value } : value;
  return reviews(knownAnswer(named, ['reviews'], ['reviews'], 'a page of reviews', at.path), at) as ReviewPage;
};

/** Returns the answer if it has any of the fields. If it reports an error, it must also have results. @throws ShapeFault */
function knownAnswer(
  value: unknown,
  fields: readonly string[],
  results: readonly string[],
  what: string,
  path: readonly (string | number)[],
): unknown {
  const isKnown = isMapValue(value) && fields.some((field) => Object.hasOwn(value, field));
  const hasResults = isMapValue(value) && results.some((name) => Array.isArray(value[name]) && value[name].length > 0);
  if (isKnown && (hasResults || reportedError(value) === undefined)) return value;
  throw new ShapeFault(path, `${what} (one of ${fields.join(', ')})`, value);
}

function ratingValueOf(rating: unknown): number | undefined {
  const [, value] = /^\s*(\d+(?:\.\d+)?)\s*\/\s*5\s*$/.exec(typeof rating === 'string' ? rating : '') ?? [];
  return value === undefined ? undefined : Number(value);
}
