// The contract rules of the paper exchange in one table: grids, fees, margins and delivery, each with its source. Which
// expiries are listed is in src/values/expiry/expiry-calendar.ts, which strikes in ../../market/listing/strike-ladder.ts.
//
// Sources, by letter:
//   M  instrument metadata of Deribit recorded in September 2026
//   S  its contract pages (grids) and standard margin pages, as of 2026
//   F  its fee schedule as published before August 2026, which metadata of September 2026 repeats
//   D  a summary of the delivery fees of 2026
//   L  its support page on liquidations, read in 2026
//   B  its page on speed bumps and the notices of July to September 2026
//   V  its pages on spot pairs that it routes to another exchange, August 2026
//   C  chosen: the venue's value is not known
import { price, type Ratio, ratio } from '../../../values/amounts.ts';
import type { Tenor } from '../../../values/expiry/expiry-calendar.ts';
import type { SingleKind } from '../../../values/instrument.ts';

/** Tick, contract, lot and minimum, in this order. */
export type ContractGrid = readonly [tick: string, contract: string, lot: string, minimum: string];

type Grids = Readonly<Record<'BTC' | 'ETH', ContractGrid>>;

/** USD or coins, as the instrument is priced and sized. */
export const GRIDS = {
  /** M, S. */
  inversePerpetual: { BTC: ['0.5', '10', '10', '10'], ETH: ['0.05', '1', '1', '1'] },
  /** BTC: M. ETH: C, five ticks of the perpetual, as for BTC. */
  datedFuture: { BTC: ['2.5', '10', '10', '10'], ETH: ['0.25', '1', '1', '1'] },
  /** BTC: C, the tick recorded until 2025 and the minimum of one contract. ETH: M. */
  linearPerpetual: {
    BTC: ['1', '0.0001', '0.0001', '0.0001'],
    ETH: ['0.05', '0.001', '0.001', '0.001'],
  },
  /** C, except the contract of ETH_USDC. */
  spot: { BTC: ['1', '0.0001', '0.0001', '0.0001'], ETH: ['0.1', '0.0001', '0.0001', '0.001'] },
  /** M, S. */
  inverseOption: { BTC: ['0.0001', '1', '0.1', '0.1'], ETH: ['0.0001', '1', '1', '1'] },
} as const satisfies Readonly<Record<string, Grids>>;

/** M, S: the tick of an option above this price, in coins. */
export const OPTION_TICK_STEPS = [{ above: price('0.005'), tickSize: price('0.0005') }] as const;

/** F: fractions of the value, of options of the underlying. A weekly future's rebate for makers of 0.01 % ended in August 2026. */
export const TRADE_FEES = {
  perpetual: { maker: ratio('0'), taker: ratio('0.0005') },
  future: { maker: ratio('0'), taker: ratio('0.0005') },
  spot: { maker: ratio('0'), taker: ratio('0') },
  option: { maker: ratio('0.0003'), taker: ratio('0.0003') },
} as const satisfies Readonly<Record<string, { maker: Ratio; taker: Ratio }>>;

/** D: fractions of the value at the delivery price, of options of the underlying. Months are charged as quarters are. */
export const DELIVERY_FEES: Readonly<Record<'future' | 'option', Readonly<Record<Tenor, Ratio>>>> =
  {
    // C for days, whose futures the summary does not name: charged as weekly ones are.
    future: {
      day: ratio('0'),
      week: ratio('0'),
      month: ratio('0.00025'),
      quarter: ratio('0.00025'),
    },
    option: {
      day: ratio('0'),
      week: ratio('0.00015'),
      month: ratio('0.00015'),
      quarter: ratio('0.00015'),
    },
  };

/** F, D: neither a trade's fee nor a delivery fee of an option exceeds this share of what the option is worth. */
export const OPTION_FEE_CAP = ratio('0.125');

/**
 * Commission of a fill of a liquidation, in place of the taker's: fractions of the value, of options of the underlying.
 * Futures: M. Options: F, 0.0019 coin a contract, without a cap. A schedule of August 2026 says 1 % for all, which is the
 * whole maintenance margin of a small future: no step would lower the shortfall (decision 29).
 */
export const LIQUIDATION_FEES = { future: ratio('0.0075'), option: ratio('0.0019') } as const;

/** How an account below its maintenance margin is reduced. */
export const LIQUIDATION = {
  /** L, the venue's page on liquidations: one round a second. */
  roundMs: 1_000,
  /** C: a round closes at most this part of a position, and at least the smallest order. */
  stepShare: 0.2,
} as const;

/** S: margin of a perpetual or future, fractions of its value: for the first lot, and added per coin of the position. */
export const FUTURE_MARGIN = {
  initial: ratio('0.02'),
  maintenance: ratio('0.01'),
  /** Half a percent per 100 BTC and two per 5 000 ETH, the same for both margins. */
  growthPerCoin: new Map<string, Ratio>([
    ['BTC', ratio('0.00005')],
    ['ETH', ratio('0.000004')],
  ]),
} as const;

/**
 * S: margin of a short option, fractions of the underlying, to which the mark price is added. Initial: `initial` less the
 * part by which the option is out of the money, at least `initialFloor`. Of a put moreover: maintenance is at least
 * `putMaintenance` of the mark price itself, which is more where the put is worth more than the underlying, and
 * the initial margin is never below the maintenance margin.
 */
export const SHORT_OPTION_MARGIN = {
  initial: ratio('0.15'),
  initialFloor: ratio('0.1'),
  maintenance: ratio('0.075'),
  putMaintenance: ratio('0.075'),
} as const;

/**
 * B: which books have a speed bump, by kind, and the exceptions by name. A combo has one if a leg does. The venue reviews the
 * list every quarter.
 */
export const SPEED_BUMPS = {
  ms: 10,
  kinds: { option: true, future: true, perpetual: true, spot: false },
  exempt: new Set(['BTC-PERPETUAL', 'ETH-PERPETUAL']),
} as const satisfies {
  readonly ms: number;
  readonly kinds: Readonly<Record<SingleKind, boolean>>;
  readonly exempt: ReadonlySet<string>;
};

/**
 * V: the answer to an order of a routed pair only says that the other exchange has accepted it, and its fills follow. C: after how
 * long.
 */
export const ROUTED_FILLS_AFTER_MS = 25;
