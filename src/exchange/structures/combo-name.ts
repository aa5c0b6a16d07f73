// The venue's names of structures, and the side from which each is bought: `BASE-CODE-EXPIRY-STRIKES`,
// `BASE-CODE-FAR_NEAR-STRIKES`, `BASE-FS-FAR_NEAR`. A structure and its mirror image have one name, that of the
// side that the code describes. `undefined` for a structure without a code.
//
// Source: the venue's grammar and the codes of its listed combos. The published material does not say from
// which side RR, IBUT and BOX are bought; ours is a choice.
import { toNumber } from '../../values/amounts.ts';
import type { Instrument } from '../../values/instrument.ts';

export interface NamedLeg {
  readonly of: Instrument;
  /** What the structure buys of the leg, negative for what it sells: whole numbers in lowest terms. */
  readonly ratio: number;
}

export interface NamedStructure {
  readonly name: string;
  readonly code: string;
  /** From the buyer's side, in the venue's order: strikes ascending, calls first; the later expiry first. */
  readonly legs: readonly NamedLeg[];
}

/** What is bought and sold of calls and puts, strikes ascending; `=` joins the options of one strike. */
const ONE_EXPIRY: Readonly<Record<string, string>> = {
  '+1C -1C': 'CS',
  '+1P -1P': 'PS',
  '+1C=+1P': 'STRD',
  '+1P +1C': 'STRG',
  '+1C +1P': 'GUTS',
  '+1P -1C': 'RR',
  '-1C +1P': 'RRITM',
  '+1C=-1P': 'REV',
  '+1C -2C +1C': 'CBUT',
  '+1P -2P +1P': 'PBUT',
  '+1C -1C +1C': 'CBUT111',
  '+1P -1P +1P': 'PBUT111',
  '+1C -1C -1C': 'CLAD',
  '+1P -1P -1P': 'PLAD',
  '+1P -1C=-1P +1C': 'IBUT',
  '+1P -1P -1C +1C': 'ICOND',
  '+1C -1C -1C +1C': 'CCOND',
  '+1P -1P -1P +1P': 'PCOND',
  '+1C=-1P -1C=+1P': 'BOX',
  '+1C -2C': 'CSR12',
  '+1C -3C': 'CSR13',
  '+2C -3C': 'CSR23',
  '+1P -2P': 'PSR12',
  '+1P -3P': 'PSR13',
  '+2P -3P': 'PSR23',
};

const FUTURES_SPREAD = 'FS';

/** Of two expiries, the later one first: the code if the strikes are the same, and the one if they differ. */
const TWO_EXPIRIES: Readonly<Record<string, readonly [same: string, other: string]>> = {
  '+1C / -1C': ['CCAL', 'CDIAG'],
  '+1P / -1P': ['PCAL', 'PDIAG'],
};

/** `undefined` for a structure without a code. */
export function namedStructure(legs: readonly NamedLeg[]): NamedStructure | undefined {
  if (new Set(legs.map(pairOf)).size !== 1) return undefined;
  return namedFrom(legs) ?? namedFrom(legs.map(({ of, ratio }) => ({ of, ratio: -ratio })));
}

function namedFrom(legs: readonly NamedLeg[]): NamedStructure | undefined {
  if (legs.every(isFuture)) return spreadOfFutures(legs);
  if (!legs.every(({ of }) => of.option !== undefined)) return undefined;
  const expiries = [...new Set(legs.map(expiryOf))];
  if (expiries.length === 1) return ofOneExpiry(legs);
  return expiries.length === 2 ? ofTwoExpiries(legs) : undefined;
}

const partsOf = ({ of }: NamedLeg): readonly string[] => of.name.split('-');
/** The base, or base and quote. */
export const pairOf = (leg: NamedLeg): string => partsOf(leg)[0] ?? '';
export const expiryOf = (leg: NamedLeg): string => {
  const name = partsOf(leg)[1] ?? '';
  return name === 'PERPETUAL' ? 'PERP' : name;
};
const isFuture = ({ of }: NamedLeg): boolean => of.kind === 'future' || of.kind === 'perpetual';
/** A perpetual counts as the earliest. */
const dueAt = ({ of }: NamedLeg): number => of.expiresAt ?? 0;
const strikeOf = ({ of }: NamedLeg): number => (of.option ? toNumber(of.option.strike) : 0);
const typeOf = ({ of }: NamedLeg): 'C' | 'P' => (of.option?.type === 'put' ? 'P' : 'C');

/** The later expiry first, then strikes ascending, calls before puts. */
export const inVenueOrder = (legs: readonly NamedLeg[]): NamedLeg[] =>
  [...legs].sort(
    (a, b) =>
      dueAt(b) - dueAt(a) ||
      strikeOf(a) - strikeOf(b) ||
      (typeOf(a) === typeOf(b) ? 0 : typeOf(a) === 'C' ? -1 : 1),
  );

function spreadOfFutures(legs: readonly NamedLeg[]): NamedStructure | undefined {
  const sorted = inVenueOrder(legs);
  const [far, near] = sorted;
  if (far === undefined || near === undefined || legs.length > 2) return undefined;
  if (far.ratio !== 1 || near.ratio !== -1) return undefined;
  const name = `${pairOf(far)}-${FUTURES_SPREAD}-${expiryOf(far)}_${expiryOf(near)}`;
  return { name, code: FUTURES_SPREAD, legs: sorted };
}

/** For example `+1P -1C=-1P +1C`. */
function patternOf(sorted: readonly NamedLeg[]): string {
  let pattern = '';
  for (const [at, leg] of sorted.entries()) {
    const before = sorted[at - 1];
    if (before !== undefined) pattern += strikeOf(before) === strikeOf(leg) ? '=' : ' ';
    pattern += `${leg.ratio > 0 ? '+' : ''}${leg.ratio}${typeOf(leg)}`;
  }
  return pattern;
}

const strikesOf = (legs: readonly NamedLeg[]): string =>
  [...new Set(legs.map((leg) => partsOf(leg)[2] ?? ''))].join('_');

function ofOneExpiry(legs: readonly NamedLeg[]): NamedStructure | undefined {
  const sorted = inVenueOrder(legs);
  const code = ONE_EXPIRY[patternOf(sorted)];
  const [first] = sorted;
  if (code === undefined || first === undefined) return undefined;
  const name = `${pairOf(first)}-${code}-${expiryOf(first)}-${strikesOf(sorted)}`;
  return { name, code, legs: sorted };
}

function ofTwoExpiries(legs: readonly NamedLeg[]): NamedStructure | undefined {
  const sorted = inVenueOrder(legs);
  const [far, near] = sorted;
  if (far === undefined || near === undefined || legs.length > 2) return undefined;
  const codes = TWO_EXPIRIES[`${patternOf([far])} / ${patternOf([near])}`];
  if (codes === undefined) return undefined;
  const code = codes[strikeOf(far) === strikeOf(near) ? 0 : 1];
  const name = `${pairOf(far)}-${code}-${expiryOf(far)}_${expiryOf(near)}-${strikesOf(sorted)}`;
  return { name, code, legs: sorted };
}

/** A leg of a structure by name. */
export interface NameLeg {
  readonly instrument: string;
  readonly ratio: number;
}

/**
 * The legs that the name of a structure says, from the buyer's side and in the venue's order; `undefined` if it is no such
 * name. That of a structure without a code does not say its legs. The inverse of {@link namedStructure}: for where the venue
 * cannot be asked, such as a recording.
 */
export function legsOfName(name: string): readonly NameLeg[] | undefined {
  const [pair = '', code = '', expiries = '', written = '', ...rest] = name.split('-');
  if (pair === '' || expiries === '' || rest.length > 0) return undefined;
  const [far = '', near, ...others] = expiries.split('_');
  const strikes = written === '' ? [] : written.split('_');
  if (others.length > 0) return undefined;
  if (code === FUTURES_SPREAD) {
    if (near === undefined || strikes.length > 0) return undefined;
    return [
      { instrument: futureName(pair, far), ratio: 1 },
      { instrument: futureName(pair, near), ratio: -1 },
    ];
  }
  const patterns = near === undefined ? patternOfCode(code) : patternsOfTwo(code, strikes);
  if (patterns === undefined || patterns.at(-1)?.strike !== strikes.length - 1) return undefined;
  return patterns.map(({ ratio, type, strike, isNear }) => ({
    instrument: `${pair}-${isNear ? near : far}-${strikes[strike]}-${type}`,
    ratio,
  }));
}

const futureName = (pair: string, expiry: string): string =>
  `${pair}-${expiry === 'PERP' ? 'PERPETUAL' : expiry}`;

interface PatternLeg {
  readonly ratio: number;
  readonly type: string;
  /** Which of the strikes in the name. */
  readonly strike: number;
  readonly isNear: boolean;
}

const patternLeg = (word: string, strike: number, isNear: boolean): PatternLeg => ({
  ratio: Number(word.slice(0, -1)),
  type: word.slice(-1),
  strike,
  isNear,
});

function patternOfCode(code: string): readonly PatternLeg[] | undefined {
  const [pattern] = Object.entries(ONE_EXPIRY).find(([, one]) => one === code) ?? [];
  return pattern
    ?.split(' ')
    .flatMap((words, strike) => words.split('=').map((word) => patternLeg(word, strike, false)));
}

/** The later expiry first. */
function patternsOfTwo(
  code: string,
  strikes: readonly string[],
): readonly PatternLeg[] | undefined {
  const place = strikes.length - 1;
  const [pattern] = Object.entries(TWO_EXPIRIES).find(([, codes]) => codes[place] === code) ?? [];
  return pattern?.split(' / ').map((word, at) => patternLeg(word, place * at, at > 0));
}
