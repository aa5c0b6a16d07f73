// Converts a portfolio's specification and its instruments to plain JSON, as stored in the ledger, and back.

import { price, quantity, ratio, text } from '../../values/amounts.ts';
import { accountId, currency, instrumentName, portfolioId } from '../../values/ids.ts';
import { instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { Plain } from '../../values/text/json-form.ts';
import { executionFromRecord, executionToRecord } from './execution-record.ts';
import { interned } from './interned.ts';
import type { LegPricing, LegSpec, PortfolioSpec } from './spec.ts';

/** `worst` is absent if nothing caps the leg, as in all records from before it existed. */
export type PricingRecord = Plain<LegPricing>;

/** `hedgeBasis` is absent at submit. */
export type LegRecord = Plain<LegSpec>;

export type SpecRecord = Plain<PortfolioSpec>;

/** `legs` are absent if it is not a combo, as in all records from before combos could be legs. */
export type InstrumentRecord = Plain<Instrument>;

export function pricingToRecord({ worst, ...rule }: LegPricing): PricingRecord {
  const capped = worst === undefined ? {} : { worst: text(worst) };
  switch (rule.type) {
    case 'market':
      return { ...rule, ...capped };
    case 'limit':
      return { ...rule, price: text(rule.price), ...capped };
    case 'dynamic':
      return { ...rule, price: text(rule.price), offset: text(rule.offset), ...capped };
  }
}

export function pricingFromRecord({ worst, ...rule }: PricingRecord): LegPricing {
  const capped = worst === undefined ? {} : { worst: price(worst) };
  switch (rule.type) {
    case 'market':
      return { ...rule, ...capped };
    case 'limit':
      return { ...rule, price: price(rule.price), ...capped };
    case 'dynamic':
      return { ...rule, price: price(rule.price), offset: price(rule.offset), ...capped };
  }
}

const legToRecord = ({ hedgeBasis, ...leg }: LegSpec): LegRecord => ({
  ...leg,
  quantity: text(leg.quantity),
  pricing: pricingToRecord(leg.pricing),
  ...(hedgeBasis && { hedgeBasis: hedgeBasis.map(text) }),
});

/** Optional fields are named as well: objects of one shape are cheap to read. */
const PLAIN_LEG = {
  timeInForce: undefined,
  tradeMode: undefined,
  positionSide: undefined,
  priority: undefined,
} satisfies Partial<LegSpec>;
const PLAIN_SPEC = {
  strategy: undefined,
  balance: undefined,
  mirrorOf: undefined,
  scale: undefined,
} satisfies Partial<PortfolioSpec>;
const PLAIN_INSTRUMENT = {
  expiresAt: undefined,
  option: undefined,
  legs: undefined,
  isRouted: undefined,
} satisfies Partial<Instrument>;

const legFromRecord = ({ hedgeBasis, ...record }: LegRecord): LegSpec => ({
  ...PLAIN_LEG,
  ...record,
  instrument: instrumentName(record.instrument),
  quantity: quantity(record.quantity),
  pricing: pricingFromRecord(record.pricing),
  ...hedgeBasisFrom(hedgeBasis),
});

/** Only amended portfolios have it. */
export const hedgeBasisFrom = (record: LegRecord['hedgeBasis']): Pick<LegSpec, 'hedgeBasis'> =>
  record === undefined ? {} : { hedgeBasis: record.map(quantity) };

export const specToRecord = (spec: PortfolioSpec): SpecRecord => ({
  ...spec,
  legs: spec.legs.map(legToRecord),
  execution: executionToRecord(spec.execution),
  scale: spec.scale && text(spec.scale),
});

export const specFromRecord = (record: SpecRecord): PortfolioSpec => ({
  ...PLAIN_SPEC,
  ...record,
  accountId: accountId(record.accountId),
  startAt: instant(record.startAt),
  legs: record.legs.map(legFromRecord),
  execution: executionFromRecord(record.execution),
  mirrorOf: record.mirrorOf === undefined ? undefined : portfolioId(record.mirrorOf),
  scale: record.scale === undefined ? undefined : ratio(record.scale),
  mirrors: record.mirrors.map(portfolioId),
});

/** The grid of an instrument's prices. */
export type TickRecord = Pick<InstrumentRecord, 'tickSize' | 'tickSteps'>;

export const tickRecord = ({ tickSize, tickSteps }: Instrument): TickRecord => ({
  tickSize: text(tickSize),
  tickSteps: tickSteps.map((step) => ({
    above: text(step.above),
    tickSize: text(step.tickSize),
  })),
});

/** The instrument on another grid. */
export const withTicks = (instrument: Instrument, ticks: TickRecord): Instrument => ({
  ...instrument,
  tickSize: price(ticks.tickSize),
  tickSteps: ticks.tickSteps.map((step) => ({
    above: price(step.above),
    tickSize: price(step.tickSize),
  })),
});

export const instrumentToRecord = (instrument: Instrument): InstrumentRecord => ({
  ...instrument,
  ...tickRecord(instrument),
  contractSize: text(instrument.contractSize),
  amountStep: text(instrument.amountStep),
  minAmount: text(instrument.minAmount),
  option: instrument.option && {
    strike: text(instrument.option.strike),
    type: instrument.option.type,
  },
  makerFee: text(instrument.makerFee),
  takerFee: text(instrument.takerFee),
});

const newInstrument = (record: InstrumentRecord): Instrument => ({
  ...PLAIN_INSTRUMENT,
  ...record,
  name: instrumentName(record.name),
  base: currency(record.base),
  quote: currency(record.quote),
  settlement: currency(record.settlement),
  contractSize: quantity(record.contractSize),
  amountStep: quantity(record.amountStep),
  minAmount: quantity(record.minAmount),
  tickSize: price(record.tickSize),
  tickSteps: record.tickSteps.map((step) => ({
    above: price(step.above),
    tickSize: price(step.tickSize),
  })),
  expiresAt: record.expiresAt === undefined ? undefined : instant(record.expiresAt),
  option: record.option && { strike: price(record.option.strike), type: record.option.type },
  makerFee: ratio(record.makerFee),
  takerFee: ratio(record.takerFee),
  legs: record.legs?.map(({ instrument: leg, ratio: times }) => ({
    instrument: instrumentName(leg),
    ratio: times,
  })),
});

/** Venues list a few thousand, of which portfolios trade some. */
const INSTRUMENTS_KEPT = 2_048;

export const instrumentFromRecord = interned(newInstrument, INSTRUMENTS_KEPT);
