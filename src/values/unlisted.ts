// Explains why a name is not a tradable instrument (expired, not listed, or malformed) and finds the nearest listed
// names. The work is bounded by the length of the name and of the listing.

import { type Instant, isoText } from './instant.ts';
import type { Instrument } from './instrument.ts';
import { NAME_LENGTH_MAX, type NameTerms, nameTerms } from './instrument-names.ts';
import { cutText } from './text/text-length.ts';

export interface Unlisted {
  /** `unread`: the venue has not listed its instruments yet, so nothing is known of the name. */
  readonly kind: 'expired' | 'unlisted' | 'malformed' | 'unread';
  /** What is wrong and what would be accepted. */
  readonly reason: string;
  /** At most three listed names, nearest first. */
  readonly nearest: readonly string[];
}

const NEAREST_MAX = 3;
const LISTINGS_MAX = 5_000;
/** A malformed name with a larger edit distance is not related to the listed one. */
const EDITS_MAX = 6;

/**
 * `listed`: `undefined` while the venue has not listed its instruments. `expiresAt` is the expiry of an instrument that is
 * still known; otherwise the name itself is parsed.
 */
export function unlisted(
  name: string,
  listed: readonly Instrument[] | undefined,
  now: Instant,
  expiresAt?: Instant,
): Unlisted {
  const terms = nameTerms(name);
  const nearest = nearestListed(name, listed ?? []);
  const accepted =
    nearest.length === 0
      ? 'accepted: a name of public/get_instruments'
      : `accepted: a listed instrument, such as ${nearest.join(', ')}`;
  const shown = JSON.stringify(cutText(name, NAME_LENGTH_MAX));
  const end = expiresAt ?? terms?.expiresAt;
  if (end !== undefined && end <= now) {
    const when = `${isoText(end).slice(0, 16).replace('T', ' ')} UTC`;
    return { kind: 'expired', reason: `${shown} expired on ${when}; ${accepted}`, nearest };
  }
  if (listed === undefined) {
    const reason = `${shown} cannot be looked up, because the venue has not listed its instruments yet; accepted: the same request in a moment`;
    return { kind: 'unread', reason, nearest };
  }
  return terms === undefined
    ? { kind: 'malformed', reason: `${shown} is not an instrument name; ${accepted}`, nearest }
    : { kind: 'unlisted', reason: `${shown} is not listed; ${accepted}`, nearest };
}

/** Compares kind, currencies, expiry and strike; a malformed name is compared by edit distance. */
export function nearestListed(name: string, listed: readonly Instrument[]): readonly string[] {
  const terms = nameTerms(name);
  const all = listed.length > LISTINGS_MAX ? listed.slice(0, LISTINGS_MAX) : listed;
  return terms === undefined ? byLetters(name, all) : byTerms(name, terms, all);
}

function byTerms(name: string, terms: NameTerms, listed: readonly Instrument[]): string[] {
  const baseEdits = new Map<string, number>();
  const best: { readonly name: string; readonly away: readonly number[] }[] = [];
  for (const one of listed) {
    let edits = baseEdits.get(one.base);
    if (edits === undefined) {
      edits = editsBetween(terms.base, one.base, EDITS_MAX);
      baseEdits.set(one.base, edits);
    }
    const away = one.name === name ? [-1] : distances(terms, one, edits);
    const at = best.findIndex((other) => isNearer(away, other.away));
    if (at >= 0) best.splice(at, 0, { name: one.name, away });
    else if (best.length < NEAREST_MAX) best.push({ name: one.name, away });
    best.length = Math.min(best.length, NEAREST_MAX);
  }
  return best.map((one) => one.name);
}

/** In order of weight: the first difference decides. */
function distances(terms: NameTerms, one: Instrument, baseEdits: number): readonly number[] {
  const { option, expiresAt } = terms;
  const isAlike = one.kind === terms.kind && one.option?.type === option?.type;
  // Parsing a decimal costs more than all the rest, so do it only if it can decide.
  const strike = isAlike && baseEdits === 0 && one.option ? Number(one.option.strike) : 0;
  return [
    one.kind === terms.kind ? 0 : 1,
    baseEdits,
    one.name.split('-', 1)[0] === terms.pair ? 0 : 1,
    isAlike ? 0 : 1,
    Math.abs((one.expiresAt ?? 0) - (expiresAt ?? 0)),
    Math.abs(strike - (option?.strike ?? 0)),
  ];
}

function isNearer(a: readonly number[], b: readonly number[]): boolean {
  for (const [at, value] of a.entries()) {
    const other = b[at] ?? 0;
    if (value !== other) return value < other;
  }
  return false;
}

function byLetters(name: string, listed: readonly Instrument[]): string[] {
  if (name.length > NAME_LENGTH_MAX) return [];
  const asked = name.trim().toUpperCase();
  const best: { readonly name: string; readonly edits: number }[] = [];
  for (const one of listed) {
    const worst = best.length < NEAREST_MAX ? EDITS_MAX : (best.at(-1)?.edits ?? 0) - 1;
    const edits = one.name === name ? -1 : editsBetween(asked, one.name.toUpperCase(), worst);
    if (edits > worst) continue;
    const at = best.findIndex((other) => edits < other.edits);
    best.splice(at < 0 ? best.length : at, 0, { name: one.name, edits });
    best.length = Math.min(best.length, NEAREST_MAX);
  }
  return best.map((found) => found.name);
}

/** Edit distance: letters to insert, remove or replace; anything above `most` counts as `most + 1`. */
export function editsBetween(a: string, b: string, most: number): number {
  if (most < 0 || Math.abs(a.length - b.length) > most) return most + 1;
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row += 1) {
    const from = Math.max(1, row - most);
    const to = Math.min(b.length, row + most);
    const line = new Array<number>(b.length + 1).fill(most + 1);
    line[0] = row;
    let least = row <= most ? row : most + 1;
    for (let at = from; at <= to; at += 1) {
      const replaced = (above[at - 1] ?? 0) + (a[row - 1] === b[at - 1] ? 0 : 1);
      const edits = Math.min(replaced, (above[at] ?? 0) + 1, (line[at - 1] ?? 0) + 1);
      line[at] = edits;
      least = Math.min(least, edits);
    }
    if (least > most) return most + 1;
    above = line;
  }
  return Math.min(above[b.length] ?? 0, most + 1);
}
