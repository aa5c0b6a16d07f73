// Instruments chosen by criteria, because options and futures expire: `BTC-{>=20d}-{atm+5%}-C` is the first
// BTC call with at least 20 days to run, with its strike nearest to 5 % above the index. Pure.
import { compare, distance, isLess, type Price, ratioOf, scaled } from '../../values/amounts.ts';
import type { InstrumentName } from '../../values/ids.ts';
import { DAY_MS, type Instant, isoText } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';

export interface InstrumentChoice {
  /** The prefix of the name: `BTC`, `ETH`, `BTC_USDC`. */
  readonly prefix: string;
  readonly expiry: { readonly bound: 'at_least' | 'at_most'; readonly days: number };
  /** Options only. `away` is the distance from the index as a fraction. */
  readonly option?: { readonly type: 'call' | 'put'; readonly away: number } | undefined;
}

/** The candidates and index prices a choice is made from. */
export interface Market {
  /** `undefined` while the venue has not listed any. */
  readonly instruments: readonly Instrument[] | undefined;
  readonly index: (indexName: string) => Price | undefined;
  readonly now: Instant;
}

export type Chosen =
  | { readonly kind: 'chosen'; readonly name: InstrumentName }
  | { readonly kind: 'none'; readonly why: string }
  /** Not yet: the venue has not listed its instruments, or the index has no price. */
  | { readonly kind: 'undecided'; readonly why: string };

/** Shown wherever a choice cannot be parsed. */
export const CHOICE_ACCEPTED =
  'accepted: an instrument name, or a choice such as BTC-{>=20d} or BTC-{>=20d}-{atm+5%}-C';

const CHOICE =
  /^([A-Z0-9]{2,10}(?:_[A-Z0-9]{2,10})?)-\{(>=|<=)(\d{1,3})d\}(?:-\{atm(?:([+-]\d{1,3}(?:\.\d{1,4})?)%)?\}-([CP]))?$/;

/** True for text that is meant as a choice, well-formed or not. */
export const isChoice = (name: string): boolean => name.includes('{') || name.includes('}');

/** Returns `undefined` if `name` is not a well-formed choice. */
export function parseChoice(name: string): InstrumentChoice | undefined {
  const match = CHOICE.exec(name);
  if (match === null) return undefined;
  const [, prefix = '', bound, days, percent, letter] = match;
  const away = Number(percent ?? '0') / 100;
  if (away <= -1) return undefined;
  return {
    prefix,
    expiry: { bound: bound === '>=' ? 'at_least' : 'at_most', days: Number(days) },
    option: letter === undefined ? undefined : { type: letter === 'C' ? 'call' : 'put', away },
  };
}

/** Returns the instrument that matches now, or why there is none. */
export function choose(choice: InstrumentChoice, market: Market): Chosen {
  if (market.instruments === undefined) {
    return { kind: 'undecided', why: 'the venue has not listed its instruments yet' };
  }
  const candidates = market.instruments.filter((instrument) => isMeant(choice, instrument));
  const expiry = chooseExpiry(choice, candidates, market.now);
  if (expiry === undefined) {
    const { bound, days } = choice.expiry;
    const what = `${choice.prefix} ${choice.option?.type ?? 'future'}`;
    const limit = isoText((market.now + days * DAY_MS) as Instant).slice(0, 10);
    const side = bound === 'at_least' ? 'on or after' : 'on or before';
    return { kind: 'none', why: `no ${what} expires ${side} ${limit}` };
  }
  const expiring = candidates.filter((instrument) => instrument.expiresAt === expiry);
  return choice.option === undefined
    ? nameOf(expiring[0])
    : chooseStrike(expiring, choice.option.away, market);
}

function isMeant(choice: InstrumentChoice, instrument: Instrument): boolean {
  if (!instrument.name.startsWith(`${choice.prefix}-`)) return false;
  return choice.option === undefined
    ? instrument.kind === 'future'
    : instrument.kind === 'option' && instrument.option?.type === choice.option.type;
}

/** At least: the first on or after the bound. At most: the last on or before it. Never an expired one. */
function chooseExpiry(
  choice: InstrumentChoice,
  candidates: readonly Instrument[],
  now: Instant,
): Instant | undefined {
  const { bound, days } = choice.expiry;
  const limit = now + days * DAY_MS;
  const expiries = candidates
    .flatMap((instrument) => (instrument.expiresAt === undefined ? [] : [instrument.expiresAt]))
    .filter((at) => at > now)
    .sort((a, b) => a - b);
  return bound === 'at_least'
    ? expiries.find((at) => at >= limit)
    : expiries.findLast((at) => at <= limit);
}

/** The strike nearest to the index moved by `away`; of two equally near, the lower. */
function chooseStrike(options: readonly Instrument[], away: number, market: Market): Chosen {
  const indexName = options[0]?.indexName ?? '';
  const index = market.index(indexName);
  if (index === undefined) {
    return { kind: 'undecided', why: `the index ${indexName} is not known yet` };
  }
  const wanted = scaled(index, ratioOf(1 + away));
  const struck = options
    .flatMap((instrument) => {
      const strike = instrument.option?.strike;
      return strike === undefined ? [] : [{ instrument, strike, far: gap(strike, wanted) }];
    })
    .sort((a, b) => compare(a.far, b.far) || compare(a.strike, b.strike));
  return nameOf(struck[0]?.instrument);
}

const gap = (a: Price, b: Price): Price => (isLess(a, b) ? distance(a, b) : distance(b, a));

const nameOf = (instrument: Instrument | undefined): Chosen =>
  instrument === undefined
    ? { kind: 'none', why: 'no strike is listed' }
    : { kind: 'chosen', name: instrument.name };
