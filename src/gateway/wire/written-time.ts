// Parses an instant as people write it in files and options: Unix milliseconds, or ISO 8601 with an offset or the name of a
// zone. A local time that the clocks of its zone skip or show twice is refused: nobody can say which instant is meant.

import { INSTANT_MAX, type Instant, instant, isZone, parseIso } from '../../values/instant.ts';
import { cutText } from '../../values/text/text-length.ts';
import { instantsShowing, type WallTime } from '../../values/wall-time.ts';

export const TIME_ACCEPTED =
  'accepted: ISO 8601 with an offset or a zone, such as 2026-12-01T09:00Z, 2026-12-01T10:00+01:00 or "2026-12-01T09:00 Europe/London", or Unix milliseconds';

export type WrittenTime =
  | { readonly kind: 'instant'; readonly at: Instant }
  | { readonly kind: 'faulty'; readonly why: string };

const TIME =
  /^(?<local>\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(?<offset>Z|[+-]\d\d:?\d\d)?(?: ?\[(?<bracketed>[\w+/-]+)\]| (?<named>[\w+/-]+))?$/;
const EPOCH_MS = /^\d{12,13}$/;

/**
 * `2026-12-01T09:00Z`, `2026-12-01T10:00+01:00`, `2026-12-01T09:00 Europe/London`, `2026-12-01T09:00+00:00[Europe/London]`
 * or `1796115600000`. `why` completes "the field …", with what is accepted.
 */
export function parseWrittenTime(text: string): WrittenTime {
  const shown = JSON.stringify(cutText(text, 60));
  const faulty = (why: string): WrittenTime => ({ kind: 'faulty', why: `is ${shown}${why}` });
  if (EPOCH_MS.test(text)) {
    const at = Number(text);
    return at <= INSTANT_MAX ? { kind: 'instant', at: instant(at) } : faulty(`; ${TIME_ACCEPTED}`);
  }
  const { local, offset, bracketed, named } = TIME.exec(text)?.groups ?? {};
  if (local === undefined) return faulty(`; ${TIME_ACCEPTED}`);
  const zone = bracketed ?? named;
  if (zone === undefined && offset === undefined) {
    return faulty(`, without an offset or a zone; ${TIME_ACCEPTED}`);
  }
  if (zone !== undefined && !(/^[A-Z]/.test(zone) && isZone(zone))) {
    return faulty(`, and ${zone} is not a time zone; accepted: an IANA name such as Europe/London`);
  }
  const iso = local.replace(' ', 'T');
  const shownLocally = parseIso(iso);
  if (shownLocally === undefined) return faulty(`, which is not a time; ${TIME_ACCEPTED}`);
  const given = offset === undefined ? undefined : parseIso(`${iso}${offset}`);
  if (zone === undefined) {
    return given === undefined ? faulty(`; ${TIME_ACCEPTED}`) : { kind: 'instant', at: given };
  }
  const shownAt = instantsShowing(shownLocally as number as WallTime, zone);
  if (offset !== undefined) {
    if (given !== undefined && shownAt.includes(given)) return { kind: 'instant', at: given };
    return faulty(
      `, and ${offset} is not the offset of ${zone} at that time; accepted: one of them`,
    );
  }
  const [at, again] = shownAt;
  if (at === undefined) {
    return faulty(`, which the clocks of ${zone} skip; accepted: a time that they show`);
  }
  if (again !== undefined) {
    return faulty(`, which the clocks of ${zone} show twice; accepted: the same with its offset`);
  }
  return { kind: 'instant', at };
}
