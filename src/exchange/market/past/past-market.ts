// The market as it was when nobody used it: a function of the settings and the time, like everything the seeded market
// does. A past trade is drawn for a slot of fifteen seconds at most once, with the volume of all takers that the slot
// would have had, at the makers' best price of that instant.

import { smileVolatility } from '../../../quant/smile.ts';
import { yearFraction } from '../../../quant/year-fraction.ts';
import { modelPrice, type Price, toNumber } from '../../../values/amounts.ts';
import { listedSince } from '../../../values/expiry/expiry-calendar.ts';
import { DAY_MS, HOUR_MS, type Instant, instant, MINUTE_MS } from '../../../values/instant.ts';
import type { Instrument, Side } from '../../../values/instrument.ts';
import { hash32 } from '../../../values/rng.ts';
import { Grid } from '../../book/grid.ts';
import { COINS, type Coin } from '../coins.ts';
import { liquidityOf } from '../liquidity/liquidity-of.ts';
import { touchOf } from '../liquidity/makers.ts';
import type { TakerTraits } from '../liquidity/takers.ts';
import type { IndexProcess } from '../prices/index-process.ts';
import { type Marks, marks } from '../prices/marks.ts';
import { normalAt, uniformAt } from '../prices/noise.ts';
import { type Surface, surface } from '../prices/surface.ts';

export const SLOT_MS = 15_000;
export const SLOTS_PER_HOUR = HOUR_MS / SLOT_MS;

export interface PastTrade {
  /** Since the epoch. */
  readonly slot: number;
  readonly at: Instant;
  readonly side: Side;
  readonly ticks: number;
  readonly lots: number;
  readonly mark: number;
  readonly index: number;
  readonly iv?: number | undefined;
}

/** Numbers of slots since the epoch, the last excluded. */
export interface Slots {
  readonly from: number;
  readonly until: number;
}

export interface PastMarket {
  /** The trades of some slots, oldest first. */
  trades(instrument: Instrument, slots: Slots): readonly PastTrade[];
  mark(instrument: Instrument, at: Instant): { readonly mark: Price; readonly index: Price };
  /** The mean funding rate per eight hours over an hour; `undefined` except for perpetuals. */
  funding(instrument: Instrument, hour: number): number | undefined;
  /** Of a coin, USD. */
  index(coin: string, at: Instant): Price | undefined;
  delivery(coin: string, expiry: Instant): Price | undefined;
  /** The implied volatility of thirty days in percent. */
  volatility(coin: string, at: Instant): number | undefined;
}

export interface PastParts {
  readonly seed: string;
  /** Of its own: the market reads its own in order, which is what makes it fast. */
  readonly index: IndexProcess;
  readonly traitsOf: (instrument: Instrument, coin: Coin) => TakerTraits;
}

/** A trade's size varies less than a taker's: it stands for several. */
const SIZE_SPREAD = 0.9;
const MINUTES = HOUR_MS / MINUTE_MS;
const VOLATILITY_DAYS = 30;
const KINDS: ReadonlySet<string> = new Set(['perpetual', 'future', 'spot', 'option']);

export function pastMarket({ seed, index, traitsOf }: PastParts): PastMarket {
  const worth: Marks = marks(seed, index);
  const surfaces = new Map<Coin, Surface>(COINS.map((coin) => [coin, surface(coin, seed, index)]));
  const coinNamed = (name: string): Coin | undefined => COINS.find((coin) => coin === name);

  return {
    trades(instrument, { from, until }) {
      const of = slotsOf(instrument, seed, traitsOf);
      const since = instrument.expiresAt && listedSince(instrument.expiresAt);
      if (of === undefined || (since !== undefined && until * SLOT_MS <= since)) return [];
      const trades: PastTrade[] = [];
      for (let slot = from; slot < until; slot += 1) {
        const trade = tradeIn({ worth, index }, instrument, slot, of);
        if (trade !== undefined) trades.push(trade);
      }
      return trades;
    },
    mark(instrument, at) {
      const { mark, index: level } = worth.value(instrument, at);
      return { mark: modelPrice(mark), index: modelPrice(level) };
    },
    funding(instrument, hour) {
      if (instrument.kind !== 'perpetual') return undefined;
      let total = 0;
      for (let minute = hour * MINUTES; minute < (hour + 1) * MINUTES; minute += 1) {
        total += worth.value(instrument, instant(minute * MINUTE_MS)).funding?.current ?? 0;
      }
      return total / MINUTES;
    },
    index(name, at) {
      const coin = coinNamed(name);
      return coin && modelPrice(index.price(coin, at));
    },
    delivery(name, expiry) {
      const coin = coinNamed(name);
      return coin && modelPrice(index.deliveryPrice(coin, expiry));
    },
    volatility(name, at) {
      const coin = coinNamed(name);
      const smile = coin && surfaces.get(coin)?.smile(at);
      if (coin === undefined || smile === undefined) return undefined;
      const forward = index.price(coin, at);
      const years = yearFraction(VOLATILITY_DAYS * DAY_MS);
      const terms = { type: 'call' as const, forward, strike: forward, years };
      return Math.round(smileVolatility(terms, smile) * 10_000) / 100;
    },
  };
}

/** The trade of a slot, if it has one. */
function tradeIn(
  { worth, index }: { readonly worth: Marks; readonly index: PastParts['index'] },
  instrument: Instrument,
  slot: number,
  of: SlotOf,
): PastTrade | undefined {
  const draw = uniformAt(of.seed, slot);
  if (draw >= of.expectedMax) return undefined;
  const at = instant(slot * SLOT_MS + Math.floor(SLOT_MS * uniformAt(of.seed ^ 0x5be0cd19, slot)));
  if (instrument.expiresAt !== undefined && at >= instrument.expiresAt) return undefined;
  const value = worth.value(instrument, at);
  const liquidity = liquidityOf(instrument, value, {
    pace: index.pace(at),
    quickPace: index.quickPace(at),
    alarm: 0,
  });
  const expected = of.expectedMax * liquidity.liveliness;
  if (draw >= expected) return undefined;
  const { grid, tick, lot } = of;
  const modelled = value.option?.modelPrice;
  const view = { grid, tick, lot, fair: value.fair, modelPrice: modelled, sold: 0, liquidity };
  const { bestBid, bestAsk } = touchOf(view);
  const side = uniformAt(of.seed ^ 0x2b3e6c1f, slot) < 0.5 ? 'buy' : 'sell';
  const ticks = side === 'buy' ? bestAsk : bestBid;
  if (ticks <= 0) return undefined;
  const size = liquidity.takerSize * Math.max(1, expected) * of.sizeAt(slot);
  return {
    slot,
    at,
    side,
    ticks,
    lots: Math.max(grid.minLots, Math.round(size / lot)),
    mark: value.mark,
    index: value.index,
    iv: value.option?.volatility,
  };
}

/** What is the same for every slot of an instrument. */
interface SlotOf {
  readonly coin: Coin;
  readonly seed: number;
  readonly grid: Grid;
  readonly tick: number;
  readonly lot: number;
  /** Takers in one slot of the busiest market. */
  readonly expectedMax: number;
  readonly sizeAt: (slot: number) => number;
}

function slotsOf(
  instrument: Instrument,
  marketSeed: string,
  traitsOf: PastParts['traitsOf'],
): SlotOf | undefined {
  const coin = COINS.find((one) => one === (instrument.base as string));
  if (coin === undefined || !KINDS.has(instrument.kind)) return undefined;
  const seed = hash32(`${marketSeed}/past/${instrument.name}`);
  const { perSecond } = traitsOf(instrument, coin);
  return {
    coin,
    seed,
    grid: new Grid(instrument),
    tick: toNumber(instrument.tickSize),
    lot: toNumber(instrument.amountStep),
    expectedMax: (perSecond * SLOT_MS) / 1_000,
    sizeAt: (slot) => Math.exp(SIZE_SPREAD * normalAt(seed ^ 0x510e527f, slot)),
  };
}
