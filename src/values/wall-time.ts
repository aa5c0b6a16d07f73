// Wall-clock time of a zone and the instants it denotes: two when clocks go back, none when they go forward. Nothing
// here reads a clock.
import { IANAZone } from 'luxon';
import { assert } from './assert.ts';
import { DAY_MS, type Instant, MINUTE_MS } from './instant.ts';

declare const brand: unique symbol;
/** Local wall-clock time, as the milliseconds since 1970-01-01 00:00 on that same clock. */
export type WallTime = number & { readonly [brand]: 'wall' };

const offsetMs = (zone: IANAZone, at: number): number => zone.offset(at) * MINUTE_MS;

/** Cache of valid zones, because validation costs more than everything else. There are a few hundred. */
const known = new Map<string, IANAZone>();

function zoneOf(name: string): IANAZone {
  const zone = known.get(name);
  if (zone !== undefined) return zone;
  assert(IANAZone.isValidZone(name), `not an IANA zone: ${name}`);
  const created = IANAZone.create(name);
  known.set(name, created);
  return created;
}

/** What the clocks of the IANA zone show at `at`. */
export const wallTimeAt = (at: Instant, zone: string): WallTime =>
  (at + offsetMs(zoneOf(zone), at)) as WallTime;

/** Every instant at which the clocks of the zone show `wall`, earliest first: none, one or two. */
export function instantsShowing(wall: WallTime, zone: string): readonly Instant[] {
  const rules = zoneOf(zone);
  const before = wall - offsetMs(rules, wall - DAY_MS);
  const after = wall - offsetMs(rules, wall + DAY_MS);
  const candidates = before === after ? [before] : [before, after].sort((a, b) => a - b);
  return candidates.filter((at) => at + offsetMs(rules, at) === wall) as Instant[];
}

/** The first instant after the gap for a wall time that the clocks skip; otherwise the earliest match. */
export function firstInstantFrom(wall: WallTime, zone: string): Instant {
  const [shown] = instantsShowing(wall, zone);
  if (shown !== undefined) return shown;
  const rules = zoneOf(zone);
  let low = wall - offsetMs(rules, wall + DAY_MS);
  let high = wall - offsetMs(rules, wall - DAY_MS);
  const old = offsetMs(rules, low);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMs(rules, middle) === old) low = middle;
    else high = middle;
  }
  return high as Instant;
}
