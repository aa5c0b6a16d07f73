// How patient an order is, in words: each choice stands for a price type and its values. And which fields a price type has.
import type { WrittenObject } from './form-schema.ts';

export type Patience = 'now' | 'mid' | 'rest' | 'limit';

export const PATIENCE: Readonly<
  Record<Patience, { readonly word: string; readonly help: string }>
> = {
  now: {
    word: 'At once: cross the spread',
    help: 'Each slice takes what the book offers when it is due.',
  },
  mid: {
    word: 'Patient: at the midpoint',
    help: 'Orders follow the midpoint each second; what does not fill is caught up with.',
  },
  rest: {
    word: 'Most patient: join the best price',
    help: 'Orders rest at the best price of their side, as maker only, and may stay unfilled.',
  },
  limit: {
    word: 'Up to a limit price',
    help: 'No order is priced worse than the limit.',
  },
};

const EVERY_MS = '1000';
const SELL = '2';

export const textAt = (from: WrittenObject, name: string): string => {
  const written = from[name];
  return typeof written === 'string' ? written : '';
};

export const priceOptionsOf = ({ priceOptions }: WrittenObject): WrittenObject =>
  typeof priceOptions === 'object' && !Array.isArray(priceOptions)
    ? (priceOptions as WrittenObject)
    : {};

const isNone = (decimal: string): boolean => /^-?0*\.?0*$/.test(decimal);

/** The choice that a leg is written as; `undefined` of what only its fields can say. */
function ofLeg(leg: WrittenObject): Patience | undefined {
  const options = priceOptionsOf(leg);
  const isMaker = textAt(leg, 'postOnly') === 'true';
  switch (textAt(options, 'priceType')) {
    case 'MARKET':
      return isMaker ? undefined : 'now';
    case 'LIMIT':
      return 'limit';
    case 'DYNAMIC': {
      if (!isNone(textAt(options, 'dynamicPriceOffset'))) return undefined;
      const reference = textAt(options, 'dynamicPriceStrategy');
      if (reference === 'MID' && !isMaker) return 'mid';
      return reference === bestOf(leg) && isMaker ? 'rest' : undefined;
    }
    default:
      return undefined;
  }
}

const bestOf = (leg: WrittenObject): string => (textAt(leg, 'side') === SELL ? 'ASK' : 'BID');

/** The choice of several legs, if they have the same. */
export function patienceOf(legs: readonly WrittenObject[]): Patience | undefined {
  const [first, ...others] = legs.map(ofLeg);
  return others.every((one) => one === first) ? first : undefined;
}

/** The leg priced as the choice says; its worst price stays. */
export function withPatience(leg: WrittenObject, patience: Patience): WrittenObject {
  const { worst = '', priceIn = '', price = '', priceType = '' } = priceOptionsOf(leg);
  const kept = { worst, priceIn };
  const follow = (dynamicPriceStrategy: string): WrittenObject => ({
    ...kept,
    priceType: 'DYNAMIC',
    dynamicPriceStrategy,
    dynamicMs: EVERY_MS,
    price: priceType === 'DYNAMIC' ? price : '',
  });
  const options = {
    now: { ...kept, priceType: 'MARKET' },
    mid: follow('MID'),
    rest: follow(bestOf(leg)),
    limit: { ...kept, priceType: 'LIMIT', price: priceType === 'LIMIT' ? price : '' },
  }[patience];
  return { ...leg, postOnly: patience === 'rest' ? 'true' : '', priceOptions: options };
}

/** The leg on another side: joining the best price is joining that of its side. */
export function withSide(leg: WrittenObject, side: string): WrittenObject {
  const turned: WrittenObject = { ...leg, side };
  return ofLeg(leg) === 'rest' ? withPatience(turned, 'rest') : turned;
}

/** Fields that other price types have; the price of a DYNAMIC leg has no effect, and is filled in with the mark. */
const UNUSED: Readonly<Record<string, readonly string[]>> = {
  MARKET: ['price', 'priceIn', 'dynamicPriceStrategy', 'dynamicPriceOffset', 'dynamicMs'],
  LIMIT: ['dynamicPriceStrategy', 'dynamicPriceOffset', 'dynamicMs'],
  DYNAMIC: ['price'],
};

/** Names of the price fields that the ticket does not show for a leg. */
export const unusedOf = (leg: WrittenObject): readonly string[] =>
  UNUSED[textAt(priceOptionsOf(leg), 'priceType')] ?? [];

/** The leg without what its price type does not have: what is not shown is not sent, but for the price that a DYNAMIC leg needs. */
export function usedOnly(leg: WrittenObject): WrittenObject {
  const options = priceOptionsOf(leg);
  const unused = textAt(options, 'priceType') === 'DYNAMIC' ? [] : unusedOf(leg);
  const used = Object.entries(options).filter(([name]) => !unused.includes(name));
  return { ...leg, priceOptions: Object.fromEntries(used) };
}
