// The simulated market makers that quote Block RFQs: how fast, how active and how large each one is, so that
// they differ as real ones do. Values are choices of ours; on the venue, makers respond within seconds, most
// of them for any size.
import { type AccountId, accountId } from '../../../values/ids.ts';

export interface DeskTraits {
  readonly account: AccountId;
  readonly alias: string;
  /** Median response time. */
  readonly delayMs: number;
  /** The interval at which it re-evaluates its quotes. */
  readonly lookMs: number;
  /** As a multiple of the market's own width. */
  readonly width: number;
  /** Fraction of RFQs it quotes at all. */
  readonly keenness: number;
  /** Fraction of its quotes that are all-or-none. */
  readonly wholeness: number;
  /** Fraction of evaluations at which it withdraws from the market. */
  readonly caution: number;
  /** The maximum USD of the underlying it can hedge, and USD per volatility point it carries. */
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
