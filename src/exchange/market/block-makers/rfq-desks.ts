// The desks that answer Block RFQs in the paper market: how quick, how keen and how large each is, so that
// they differ as people do. Chosen; makers answer within seconds on the venue, most of them for any size.
import { type AccountId, accountId } from '../../../values/ids.ts';

export interface DeskTraits {
  readonly account: AccountId;
  readonly alias: string;
  /** Median of the time until it answers. */
  readonly delayMs: number;
  /** How often it looks at its quotes again. */
  readonly lookMs: number;
  /** Of the market's own width. */
  readonly width: number;
  /** Share of RFQs it answers at all. */
  readonly keenness: number;
  /** Share of them it only fills whole. */
  readonly wholeness: number;
  /** Share of looks at which it is out of the market. */
  readonly caution: number;
  /** USD of the underlying it can hedge, and USD per volatility point it carries, at most. */
  readonly deltaMaxUsd: number;
  readonly vegaMaxUsd: number;
}

const desk = (alias: string, traits: Omit<DeskTraits, 'account' | 'alias'>): DeskTraits => ({
  account: accountId(`rfq-desk-${alias.toLowerCase()}`),
  alias,
  ...traits,
});

const MILLION = 1_000_000;

export const RFQ_DESKS: readonly DeskTraits[] = [
  desk('ALDER', {
    delayMs: 1_500,
    lookMs: 4_000,
    width: 0.9,
    keenness: 0.97,
    wholeness: 0.1,
    caution: 0.02,
    deltaMaxUsd: 20 * MILLION,
    vegaMaxUsd: 120_000,
  }),
  desk('BIRCH', {
    delayMs: 2_400,
    lookMs: 6_000,
    width: 0.75,
    keenness: 0.9,
    wholeness: 0.5,
    caution: 0.06,
    deltaMaxUsd: 12 * MILLION,
    vegaMaxUsd: 80_000,
  }),
  desk('CEDAR', {
    delayMs: 3_200,
    lookMs: 9_000,
    width: 1.1,
    keenness: 0.95,
    wholeness: 0.2,
    caution: 0.03,
    deltaMaxUsd: 40 * MILLION,
    vegaMaxUsd: 250_000,
  }),
  desk('LARCH', {
    delayMs: 5_000,
    lookMs: 7_000,
    width: 0.65,
    keenness: 0.7,
    wholeness: 0,
    caution: 0.1,
    deltaMaxUsd: 6 * MILLION,
    vegaMaxUsd: 40_000,
  }),
  desk('ROWAN', {
    delayMs: 9_000,
    lookMs: 12_000,
    width: 0.85,
    keenness: 0.8,
    wholeness: 0.3,
    caution: 0.04,
    deltaMaxUsd: 15 * MILLION,
    vegaMaxUsd: 90_000,
  }),
];

export const RFQ_DESKS_MAX: number = RFQ_DESKS.length;
