// What a decision needs to know about market-maker protection.
import type { Instant } from '../../../values/instant.ts';

/** Whether orders of this group on this index are forbidden at `now`. Pure for the length of one turn. */
export type FreezeLookup = (
  place: { readonly index: string; readonly group: string },
  now: Instant,
) => boolean;
