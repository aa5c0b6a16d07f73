// Derives the limits of the controls from the configuration, under a name that changes with them.
import { createHash } from 'node:crypto';
import type { ControlLimits, MessageRate } from '../../../core/risk/gate/control-limits.ts';
import { type Money, money, type Quantity, quantity } from '../../../values/amounts.ts';
import type { Config } from '../config.ts';

/** Share of each burst that only cancels may use, so that orders never take what is needed to cancel them. */
const CANCEL_RESERVE = 0.25;

/** Version of the rules themselves; raised when a control's behaviour changes. */
const RULES = 1;

export function controlLimits({ controls }: Pick<Config, 'controls'>): ControlLimits {
  const { change: _, ...rules } = controls;
  const { collar, messages, market, drift } = rules;
  const digest = createHash('sha256').update(JSON.stringify(rules)).digest('hex');
  return {
    version: `${RULES}-${digest.slice(0, 8)}`,
    collar,
    messages: {
      shareOfVenue: messages.shareOfVenue,
      cancelReserve: CANCEL_RESERVE,
      ...rateOf(messages.perSecond),
      instrument: rateOf(messages.instrumentPerSecond),
      process: rateOf(messages.processPerSecond),
    },
    drift: { windowMs: drift.windowSec * 1_000, bps: drift.bps, optionBps: drift.optionBps },
    orderUsdMax: monies(controls.orderUsdMax),
    quantityMax: quantities(controls.orderQuantityMax),
    repeats: { executionsMax: controls.executionsMax, rejectsMax: controls.rejectsMax },
    duplicateMs: controls.duplicateMs,
    positionMax: quantities(controls.positionMax),
    grossUsdMax: monies(controls.grossUsdMax),
    permits: new Map(Object.entries(controls.permits).map(([name, of]) => [name, new Set(of)])),
    market: {
      jumpBps: market.jumpBps,
      windowMs: market.windowSec * 1_000,
      spreadBps: market.spreadBps,
      restMs: market.restSec * 1_000,
    },
    strategy: {
      instrumentsMax: controls.strategy.instrumentsMax,
      usdMax: money(controls.strategy.usdMax),
      slicesMax: controls.strategy.slicesMax,
      accounts: new Set(controls.strategy.accounts),
    },
    selfMatch: controls.selfMatch,
    slippageUsdMax: monies(controls.slippageUsdMax),
  };
}

/** Two seconds of it at once: slices of one instant leave together. */
const rateOf = (perSecond: number): MessageRate => ({ perSecond, burst: Math.ceil(2 * perSecond) });

const monies = (table: Readonly<Record<string, string>>): ReadonlyMap<string, Money> =>
  new Map(Object.entries(table).map(([name, text]) => [name, money(text)]));

const quantities = (table: Readonly<Record<string, string>>): ReadonlyMap<string, Quantity> =>
  new Map(Object.entries(table).map(([name, text]) => [name, quantity(text)]));
