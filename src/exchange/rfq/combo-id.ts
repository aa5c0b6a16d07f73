// The venue's combo name of a structure, if it has one: single legs, future spreads, call and put spreads,
// straddles and strangles, listed from the buyer's side. Any other structure is custom and has no name.
//
// Source: the venue's grammar `BASE-CODE-EXPIRY-STRIKES`, `BASE-FS-FIRST_SECOND`.

import { toNumber } from '../../values/amounts.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { RfqLeg } from './rfq.ts';

type NamedLeg = Pick<RfqLeg, 'side' | 'ratio'> & { readonly of: Instrument };

export function comboIdOf(legs: readonly NamedLeg[]): string | undefined {
  const [first, second] = legs;
  if (first === undefined || legs.some(({ ratio }) => toNumber(ratio) !== 1)) return undefined;
  if (second === undefined) return first.side === 'buy' ? first.of.name : undefined;
  if (legs.length > 2 || baseOf(first) !== baseOf(second)) return undefined;
  return spreadOfFutures(first, second) ?? pairOfOptions(first, second);
}

const partsOf = ({ of }: NamedLeg): readonly string[] => of.name.split('-');
const baseOf = (leg: NamedLeg): string => partsOf(leg)[0] ?? '';
const expiryOf = (leg: NamedLeg): string => {
  const name = partsOf(leg)[1] ?? '';
  return name === 'PERPETUAL' ? 'PERP' : name;
};
const isFuture = ({ of }: NamedLeg): boolean => of.kind === 'future' || of.kind === 'perpetual';
const dueAt = ({ of }: NamedLeg): number => of.expiresAt ?? 0;

/** The later expiry is bought; a perpetual counts as the earliest. */
function spreadOfFutures(a: NamedLeg, b: NamedLeg): string | undefined {
  if (!isFuture(a) || !isFuture(b)) return undefined;
  const [far, near] = dueAt(a) >= dueAt(b) ? [a, b] : [b, a];
  if (far.side !== 'buy' || near.side !== 'sell') return undefined;
  return `${baseOf(far)}-FS-${expiryOf(far)}_${expiryOf(near)}`;
}

function pairOfOptions(a: NamedLeg, b: NamedLeg): string | undefined {
  const [termsA, termsB] = [a.of.option, b.of.option];
  if (termsA === undefined || termsB === undefined || dueAt(a) !== dueAt(b)) return undefined;
  const strikes = [toNumber(termsA.strike), toNumber(termsB.strike)] as const;
  const [low, high] = strikes[0] <= strikes[1] ? [a, b] : [b, a];
  const named = (code: string, tail: string): string =>
    `${baseOf(a)}-${code}-${expiryOf(a)}-${tail}`;
  const tail = `${Math.min(...strikes)}_${Math.max(...strikes)}`;
  if (termsA.type === termsB.type) {
    if (low.side !== 'buy' || high.side !== 'sell') return undefined;
    return named(termsA.type === 'call' ? 'CS' : 'PS', tail);
  }
  if (a.side !== 'buy' || b.side !== 'buy') return undefined;
  if (strikes[0] === strikes[1]) return named('STRD', String(strikes[0]));
  return low.of.option?.type === 'put' ? named('STRG', tail) : undefined;
}
