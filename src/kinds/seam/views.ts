/** The live state as a session last read it. Each kind defines the view that it needs; all resources of a session share it. */

import type { Client } from '../../client/client.ts';
import type { TriggersClient } from '../../triggers/api/triggersClient.ts';

export interface LiveView {
  /** The next read asks the server again. */
  forget(): void;
  /** Called before a resource is written: from then on, reads may lag. By default, nothing happens. */
  changed?(): void;
}

/** The definition of a view, by which it is looked up. */
export interface ViewType<View extends LiveView> {
  /** `previous` is the view that this one replaces. */
  create(options: ViewOptions, previous?: View): View;
  /** Returns a view of the same state without the calls that are expected. By default, the view itself. */
  withoutExpected?(view: View): View;
}

export interface ViewOptions {
  client(): Client;
  triggers(): TriggersClient;
  /** The time in milliseconds for which reads may lag behind a write. */
  lagMs: number;
  signal?: AbortSignal | undefined;
  onListing?: ((progress: ListingProgress) => void) | undefined;
}

/** Counts of zones, reported after each listing: listed, of those that have been asked for so far. */
export interface ListingProgress {
  listed: number;
  asked: number;
  /** The time in milliseconds for which listings that do not show a write yet are read again. */
  waitMs: number;
}

/** The views of a session. Planned calls are applied to them; sent calls make them read again. */
export interface Views {
  /** Returns the one view of this type. */
  view<View extends LiveView>(type: ViewType<View>): View;
}

export interface SessionViews extends Views {
  /** Notifies every view that a resource is written next. */
  changed(): void;
  /** Returns views of the same state without expected calls. */
  withoutExpected(): SessionViews;
}

/** Creates each view when it is first needed. New views know what those of `previous` remember. */
export function createViews(options: ViewOptions, previous?: Views): SessionViews {
  return viewsFrom(new Map(), (type) => type.create(options, previous?.view(type)));
}

type Create = <View extends LiveView>(type: ViewType<View>) => View;

/** `known` holds each view under its own type. */
function viewsFrom(known: Map<object, LiveView>, create: Create): SessionViews {
  const view: Create = <View extends LiveView>(type: ViewType<View>) => {
    const found = (known.get(type) as View | undefined) ?? create(type);
    known.set(type, found);
    return found;
  };
  const withoutExpected: Create = (type) => type.withoutExpected?.(view(type)) ?? view(type);
  return {
    view,
    changed() {
      for (const each of known.values()) each.changed?.();
    },
    withoutExpected() {
      const types = [...known.keys()] as ViewType<LiveView>[];
      return viewsFrom(new Map(types.map((type) => [type, withoutExpected(type)])), withoutExpected);
    },
  };
}
