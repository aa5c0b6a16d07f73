// Converts the state of a protection to plain JSON and back. The ledger stores it alongside the events, so that a long
// history need not be folded.
import { money, quantity, text, ZERO_QUANTITY } from '../../values/amounts.ts';
import { instant } from '../../values/instant.ts';
import type { Plain } from '../../values/text/json-form.ts';
import type { MmpConfig } from './mmp-config.ts';
import { groupKey, type MmpFreeze, type MmpGroup, type MmpState } from './mmp-state.ts';

/** A freeze that was stored before its overshoot was counted has neither of the two. */
type MmpFreezeRecord = Plain<
  Omit<MmpFreeze, 'reachedAt' | 'overshoot'> & Partial<Pick<MmpFreeze, 'reachedAt' | 'overshoot'>>
>;

type MmpGroupRecord = Plain<MmpConfig & Omit<MmpGroup, 'config' | 'freeze'>> & {
  readonly freeze?: MmpFreezeRecord | undefined;
};

export interface MmpStateRecord {
  readonly version: number;
  readonly groups: readonly MmpGroupRecord[];
}

export const mmpToRecord = ({ version, groups }: MmpState): MmpStateRecord => ({
  version,
  groups: [...groups.values()].map(groupToRecord),
});

export const mmpFromRecord = ({ version, groups }: MmpStateRecord): MmpState => ({
  version,
  groups: new Map(groups.map((record) => [groupKey(record), groupFromRecord(record)])),
});

function groupToRecord({ config, window, freeze, countsFrom, trips }: MmpGroup): MmpGroupRecord {
  const { quantityLimit, deltaLimit, vegaLimit, maxQuoteQuantity, ...rest } = config;
  return {
    ...rest,
    quantityLimit: quantityLimit && text(quantityLimit),
    deltaLimit: deltaLimit && text(deltaLimit),
    vegaLimit: vegaLimit && text(vegaLimit),
    maxQuoteQuantity: maxQuoteQuantity && text(maxQuoteQuantity),
    countsFrom,
    trips,
    window: window && {
      ...window,
      quantity: text(window.quantity),
      delta: text(window.delta),
      vega: text(window.vega),
    },
    freeze: freeze && { ...freeze, overshoot: text(freeze.overshoot) },
  };
}

const groupFromRecord = (record: MmpGroupRecord): MmpGroup => ({
  config: configFromRecord(record),
  countsFrom: instant(record.countsFrom),
  trips: record.trips,
  window: record.window && {
    openedAt: instant(record.window.openedAt),
    quantity: quantity(record.window.quantity),
    delta: quantity(record.window.delta),
    vega: money(record.window.vega),
    trades: record.window.trades,
  },
  freeze: record.freeze && {
    at: instant(record.freeze.at),
    until: record.freeze.until === undefined ? undefined : instant(record.freeze.until),
    limit: record.freeze.limit,
    reachedAt: instant(record.freeze.reachedAt ?? record.freeze.at),
    overshoot:
      record.freeze.overshoot === undefined ? ZERO_QUANTITY : quantity(record.freeze.overshoot),
  },
});

const configFromRecord = (record: MmpGroupRecord): MmpConfig => ({
  index: record.index,
  group: record.group,
  intervalMs: record.intervalMs,
  frozenMs: record.frozenMs,
  quantityLimit: record.quantityLimit === undefined ? undefined : quantity(record.quantityLimit),
  deltaLimit: record.deltaLimit === undefined ? undefined : quantity(record.deltaLimit),
  vegaLimit: record.vegaLimit === undefined ? undefined : money(record.vegaLimit),
  tradeCountLimit: record.tradeCountLimit,
  maxQuoteQuantity:
    record.maxQuoteQuantity === undefined ? undefined : quantity(record.maxQuoteQuantity),
});
