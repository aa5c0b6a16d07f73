// Reads the options of `rehearse` strictly.
import type { Regime } from '../../../exchange/market/regimes.ts';
import { DAY_MS, type Instant, instant } from '../../../values/instant.ts';
import type { BacktestLatency } from '../../../virtual/backtest/backtest-latency.ts';
import { instantOf, latencyOf, wrong } from '../backtest/backtest-options.ts';
import { type DeploymentLimits, deploymentLimits } from '../deployment-limits.ts';

/** The options as commander passes them. */
export interface WrittenRehearsal {
  readonly config: string;
  readonly days: string;
  readonly seeds: string;
  readonly regime: Regime;
  readonly from?: string;
  readonly latency: string;
  readonly set?: readonly string[];
  readonly base: string;
  readonly out: string;
  readonly workers?: string;
  readonly report?: string;
  readonly json?: boolean;
}

export interface RehearsalSettings {
  /** When every market begins. */
  readonly bornAt: Instant;
  readonly days: number;
  readonly seeds: readonly string[];
  readonly regime: Regime;
  readonly latency: Omit<BacktestLatency, 'seed'>;
  readonly deployment: DeploymentLimits;
}

const DAYS_MAX = 366;
const SEEDS_MAX = 10_000;

/** Without `--from` the markets begin when the file says that it starts, otherwise at the start of the day of `now`. */
export function rehearsalSettings(
  written: WrittenRehearsal,
  { startAt, now }: { readonly startAt: Instant | undefined; readonly now: Instant },
): RehearsalSettings {
  const today = instant(now - (now % DAY_MS));
  return {
    bornAt: written.from === undefined ? (startAt ?? today) : instantOf('--from', written.from),
    days: daysOf(written.days),
    seeds: seedsOf(written.seeds),
    regime: written.regime,
    latency: latencyOf(written.latency),
    deployment: deploymentLimits(written.config),
  };
}

function daysOf(text: string): number {
  const days = Number(text);
  if (/^[1-9]\d{0,2}$/.test(text) && days <= DAYS_MAX) return days;
  throw wrong('--days', text, `a whole number from 1 to ${DAYS_MAX}`);
}

/** `20` is 1 to 20. */
function seedsOf(text: string): readonly string[] {
  const [, first = '1', last = ''] = /^(?:(\d{1,9})\.\.)?(\d{1,9})$/.exec(text) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (last !== '' && to >= from && to - from < SEEDS_MAX) {
    return Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
  }
  const accepted = `how many, from 1 to ${SEEDS_MAX}, or the first and the last, such as 21..40`;
  throw wrong('--seeds', text, accepted);
}
