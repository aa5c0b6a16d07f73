// What a structure is worth at the marks of its legs, and how far a quote is from that.
import type { MethodResults } from '../../../gateway/client/client.ts';
import type { Ticker } from '../instruments/option-chain.ts';

type Rfq = MethodResults['block/rfqs/create_rfq'];
type Leg = Pick<Rfq['legs'][number], 'instrumentName' | 'side' | 'ratio'>;

const BPS = 10_000;

/** Prices of options are in coin or dollars, those of others in dollars: only prices of one unit add up. */
const unitOf = (name: string): string => {
  const [underlying = ''] = name.split('-');
  const isOption = /-[CP]$/.test(name);
  return isOption && !underlying.includes('_') ? underlying : 'USD';
};

/** Bought legs add, sold ones subtract; `undefined`: a mark is missing, or the legs are priced in different units. */
export function structureMark(
  legs: readonly Leg[],
  tickers: ReadonlyMap<string, Pick<Ticker, 'markPrice'>>,
): number | undefined {
  const units = new Set(legs.map(({ instrumentName }) => unitOf(instrumentName)));
  if (units.size !== 1) return undefined;
  let sum = 0;
  for (const { instrumentName, side, ratio } of legs) {
    const mark = tickers.get(instrumentName)?.markPrice;
    if (mark === undefined) return undefined;
    sum += (side === 'buy' ? 1 : -1) * Number(ratio) * Number(mark);
  }
  return sum;
}

export interface Distance {
  /** Above zero: the quote is above the mark. */
  readonly price: number;
  /** Of the mark; `undefined` where that is zero. */
  readonly bps: number | undefined;
}

export function distanceFrom(mark: number, price: string): Distance {
  const difference = Number(price) - mark;
  return {
    price: difference,
    bps: mark === 0 ? undefined : (difference / Math.abs(mark)) * BPS,
  };
}
