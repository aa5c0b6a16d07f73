// The rules of one leg: instrument, size, pricing, and the flags that its venue supports.

import {
  absolute,
  isLess,
  isMore,
  isMultiple,
  isPositive,
  type Price,
  price,
  rounded,
  text,
} from '../../../values/amounts.ts';
import { INSTANT_MAX } from '../../../values/instant.ts';
import { type Instrument, isCombo, isOnTick, isPriceOf } from '../../../values/instrument.ts';
import { sizeHint, tickHint } from '../../../values/nearest-tradable.ts';
import type { TimeInForce } from '../../../values/order-terms.ts';
import { type Unlisted, unlisted } from '../../../values/unlisted.ts';
import { type Rejection, type RejectionKind, reject } from '../../rejection.ts';
import { orderUsd } from '../../risk/order-check.ts';
import type { LegForm } from '../../terms/form.ts';
import type { LegPricing, LegSpec, PriceUnit } from '../../terms/spec.ts';
import type { AdmitContext } from './admit-context.ts';

export interface AdmittedLeg {
  readonly kind: 'admitted';
  readonly spec: LegSpec;
  readonly instrument: Instrument;
}

/** `instrument` is set if the leg names a known one: rules between legs check it even so. */
export interface RefusedLeg {
  readonly kind: 'refused';
  readonly rejections: readonly Rejection[];
  readonly instrument?: Instrument | undefined;
}

type LegAdmission = AdmittedLeg | RefusedLeg;

type Complain = (field: string, message: string, kind?: RejectionKind) => void;

export function admitLeg(leg: LegForm, path: string, context: AdmitContext): LegAdmission {
  const rejections: Rejection[] = [];
  const complain: Complain = (field, message, kind = 'invalid_parameter') => {
    rejections.push(reject(kind, `${path}.${field}`, message));
  };
  const instrument = admitInstrument(leg, context, complain);
  if (instrument === undefined) return { kind: 'refused', rejections };
  admitQuantity(leg, instrument, complain);
  const pricing = admitPricing(leg, instrument, { context, complain });
  const timeInForce = admitFlags(leg, instrument, { context, complain });
  admitValue(leg, instrument, { context, complain });
  if (rejections.length > 0 || pricing === undefined) {
    return { kind: 'refused', rejections, instrument };
  }
  const { side, quantity, postOnly, reduceOnly, hidden, hedge } = leg;
  const kept = { side, quantity, postOnly, reduceOnly, hidden, hedge, timeInForce };
  const { tradeMode, positionSide, priceSnapshot, priority } = leg;
  const spec: LegSpec = {
    instrument: instrument.name,
    kind: instrument.kind,
    pricing,
    ...kept,
    ...(priority && { priority }),
    tradeMode,
    positionSide,
    priceSnapshot: priceSnapshot.length > 0 ? priceSnapshot : captured(instrument, context),
  };
  return { kind: 'admitted', spec, instrument };
}

interface Tools {
  readonly context: AdmitContext;
  readonly complain: Complain;
}

const REJECTED_AS: Readonly<Record<Unlisted['kind'], RejectionKind>> = {
  expired: 'ends_after_expiry',
  unlisted: 'invalid_parameter',
  malformed: 'invalid_parameter',
  unread: 'unavailable',
};

function admitInstrument(
  leg: LegForm,
  { instrument: find, listed, now }: AdmitContext,
  complain: Complain,
): Instrument | undefined {
  const instrument = find(leg.instrument);
  if (instrument === undefined || (instrument.expiresAt ?? INSTANT_MAX) <= now) {
    const all = listed === undefined ? [] : listed();
    const why = unlisted(leg.instrument, all, now, instrument?.expiresAt);
    complain('instrument', why.reason, REJECTED_AS[why.kind]);
    return undefined;
  }
  if (instrument.kind !== leg.instrumentType) {
    const names = {
      option: 'OPTION',
      perpetual: 'PERPETUAL',
      future: 'DELIVERY_FUTURES',
      spot: 'SPOT',
      future_combo: 'FUTURE_COMBO',
      option_combo: 'OPTION_COMBO',
    };
    complain(
      'instrumentType',
      `${names[leg.instrumentType]} does not fit; ${leg.instrument} is ${names[instrument.kind]}`,
    );
  }
  return instrument;
}

function admitQuantity(leg: LegForm, instrument: Instrument, complain: Complain): void {
  const { amountStep, minAmount } = instrument;
  if (!isPositive(leg.quantity)) {
    complain('quantity', `${text(leg.quantity)} is not positive`);
  } else if (!isMultiple(leg.quantity, amountStep)) {
    const hint = sizeHint(instrument, leg.quantity);
    complain('quantity', `${text(leg.quantity)} is not a multiple of the lot; ${hint}`);
  } else if (isLess(leg.quantity, minAmount)) {
    complain(
      'quantity',
      `${text(leg.quantity)} is below the minimum ${text(minAmount)}`,
      'below_minimum',
    );
  }
}

/** The pricing rule with its price cap, which applies to every rule. */
function admitPricing(leg: LegForm, instrument: Instrument, tools: Tools): LegPricing | undefined {
  const { worst } = leg.priceOptions;
  if (worst !== undefined && !isPriceOf(instrument, worst)) {
    tools.complain('priceOptions.worst', noPrice(instrument, worst));
  }
  const rule = admitRule(leg, instrument, tools);
  return rule === undefined || worst === undefined ? rule : { ...rule, worst };
}

function noPrice(instrument: Instrument, price: Price): string {
  return isCombo(instrument)
    ? `${text(price)} is below the lowest price of ${instrument.name}; ${tickHint(instrument, price)}`
    : `${text(price)} is not positive; accepted: a price above 0 in ${instrument.quote}`;
}

function admitRule(
  leg: LegForm,
  instrument: Instrument,
  { context, complain }: Tools,
): LegPricing | undefined {
  const options = leg.priceOptions;
  if (options.priceType !== 'dynamic') admitUnusedStrategy(leg, { context, complain });
  if (options.priceType === 'market') return { type: 'market' };
  const needs = `is required when priceType is ${options.priceType.toUpperCase()}`;
  if (options.price === undefined) complain('priceOptions.price', needs);
  if (options.priceIn === undefined) complain('priceOptions.priceIn', needs);
  const unit = options.priceIn && priceUnit(options.priceIn, instrument);
  if (unit !== undefined && typeof unit !== 'string') {
    complain(
      'priceOptions.priceIn',
      `"${options.priceIn}" does not fit ${instrument.name}; accepted: ${unit.accepted.join(', ')}`,
    );
    return undefined;
  }
  if (options.price !== undefined && !isPriceOf(instrument, options.price)) {
    complain('priceOptions.price', noPrice(instrument, options.price));
  }
  if (options.price === undefined || unit === undefined || unit === '') return undefined;
  if (unit === 'iv') admitVolatility('priceOptions.price', options.price, complain);
  if (options.priceType === 'dynamic')
    return admitDynamic(leg, instrument, { unit, context, complain });
  if (unit === 'currency' && !isOnTick(instrument, options.price)) {
    const hint = tickHint(instrument, options.price);
    complain('priceOptions.price', `${text(options.price)} is not a multiple of the tick; ${hint}`);
  }
  return { type: 'limit', price: options.price, unit };
}

/** A volatility is a fraction: 0.65 means 65 %. */
function admitVolatility(field: string, value: Price, complain: Complain): void {
  if (isMore(absolute(value), price('5'))) {
    complain(
      field,
      `${text(value)} as IV is ${text(value)}00 %; accepted: a fraction up to 5, such as 0.65`,
    );
  }
}

/** A strategy on a leg that is not DYNAMIC has no effect, but its form is checked all the same. */
function admitUnusedStrategy({ priceOptions }: LegForm, tools: Tools): void {
  if (priceOptions.dynamicPriceStrategy !== undefined) admitEvery(priceOptions.dynamicMs, tools);
}

function admitEvery(dynamicMs: number | undefined, { context, complain }: Tools): void {
  const { dynamicMsMin, dynamicMsMax } = context.limits;
  const accepted = `accepted: whole milliseconds from ${dynamicMsMin} to ${dynamicMsMax}`;
  if (dynamicMs === undefined) {
    complain('priceOptions.dynamicMs', `is required with dynamicPriceStrategy; ${accepted}`);
  } else if (!Number.isInteger(dynamicMs) || dynamicMs < dynamicMsMin || dynamicMs > dynamicMsMax) {
    complain('priceOptions.dynamicMs', `${dynamicMs} is out of range; ${accepted}`);
  }
}

function admitDynamic(
  leg: LegForm,
  instrument: Instrument,
  { unit, context, complain }: Tools & { readonly unit: PriceUnit },
) {
  const { price: shown, dynamicPriceStrategy, dynamicPriceOffset, dynamicMs } = leg.priceOptions;
  if (dynamicPriceStrategy === undefined) {
    complain(
      'priceOptions.dynamicPriceStrategy',
      'is required when priceType is DYNAMIC; accepted: MID, MARK, MODEL, BID, ASK',
    );
  }
  if (dynamicPriceStrategy === 'model' && isCombo(instrument)) {
    const why = `MODEL is not available for ${instrument.name}, because no model prices a combo as a whole`;
    complain('priceOptions.dynamicPriceStrategy', `${why}; accepted: MID, MARK, BID, ASK`);
  }
  admitEvery(dynamicMs, { context, complain });
  const offset = dynamicPriceOffset ?? price('0');
  if (unit === 'iv') admitVolatility('priceOptions.dynamicPriceOffset', offset, complain);
  if (shown === undefined || dynamicPriceStrategy === undefined || dynamicMs === undefined) {
    return undefined;
  }
  return {
    type: 'dynamic' as const,
    price: shown,
    unit,
    reference: dynamicPriceStrategy,
    offset,
    everyMs: dynamicMs,
  };
}

/** The units in which the instrument may be priced: its own currency, and for options also USD and IV. */
function priceUnit(
  asked: string,
  instrument: Instrument,
): PriceUnit | { readonly accepted: readonly string[] } {
  const name = asked.toUpperCase();
  if (name === instrument.quote.toUpperCase()) return 'currency';
  const isOption = instrument.kind === 'option';
  if (isOption && name === 'IV') return 'iv';
  if (isOption && name === 'USD') return 'usd';
  return { accepted: [instrument.quote, ...(isOption ? ['USD', 'IV'] : [])] };
}

const TIME_IN_FORCE: Record<NonNullable<LegForm['timeInForce']>, TimeInForce> = {
  gtc: 'good_til_cancelled',
  ioc: 'immediate_or_cancel',
  fok: 'fill_or_kill',
  gtd: 'good_til_day',
};

function admitFlags(
  leg: LegForm,
  instrument: Instrument,
  { context, complain }: Tools,
): TimeInForce | undefined {
  const { features } = context;
  const isImmediate = leg.timeInForce === 'ioc' || leg.timeInForce === 'fok';
  const isMarket = leg.priceOptions.priceType === 'market';
  if (leg.postOnly && (isMarket || isImmediate)) {
    complain('postOnly', 'is accepted only with LIMIT or DYNAMIC and timeInForce 1 (GTC)');
  }
  if (isMarket && leg.timeInForce !== undefined && !isImmediate) {
    complain(
      'timeInForce',
      'does not fit a MARKET leg, which never rests; accepted: 2 (IOC), 3 (FOK) or none',
    );
  }
  if (leg.timeInForce === 'gtd') admitUntilDayEnd(leg, instrument, complain);
  if (leg.reduceOnly && instrument.kind === 'spot')
    complain('reduceOnly', 'is not available for SPOT');
  if (isCombo(instrument)) admitComboFlags(leg, instrument, complain);
  if (leg.hidden && !features.hidden)
    complain('hidden', 'hidden orders are not available on this venue; accepted: false');
  const modes = features.tradeModes.filter(
    (mode) => (mode === 'cash') === (instrument.kind === 'spot'),
  );
  if (leg.tradeMode !== undefined && !modes.includes(leg.tradeMode)) {
    complain(
      'tradeMode',
      `${leg.tradeMode.toUpperCase()} is not available for ${instrument.name}; accepted: ${modes.map((mode) => mode.toUpperCase()).join(', ')}`,
    );
  }
  if (leg.positionSide !== undefined && !features.positionSides.includes(leg.positionSide)) {
    complain(
      'positionSide',
      `${leg.positionSide.toUpperCase()} is not available on this venue; accepted: ${features.positionSides.map((side) => side.toUpperCase()).join(', ')}`,
    );
  }
  return leg.timeInForce && TIME_IN_FORCE[leg.timeInForce];
}

/** Good till day: no venue accepts it for spot or with post-only. */
function admitUntilDayEnd({ postOnly }: LegForm, { kind }: Instrument, complain: Complain): void {
  if (kind === 'spot') {
    complain('timeInForce', '4 (GTD) is not available for SPOT; accepted: 1 (GTC), 2, 3 or none');
  }
  if (postOnly) {
    complain('timeInForce', '4 (GTD) does not go with postOnly; accepted: 1 (GTC) or none');
  }
}

/** A combo has no position of its own to be reduced or to be hedged with. */
function admitComboFlags(leg: LegForm, { name }: Instrument, complain: Complain): void {
  if (leg.reduceOnly) {
    complain(
      'reduceOnly',
      `is not available for ${name}, a combo: only its legs have positions; accepted: false`,
    );
  }
  if (leg.hedge) {
    complain(
      'hedge',
      `is not available for ${name}, a combo; accepted: an instrument that is not a combo`,
    );
  }
}

function admitValue(leg: LegForm, instrument: Instrument, { context, complain }: Tools): void {
  const { legUsdMax } = context.limits;
  if (legUsdMax === undefined) return;
  const quote = context.quote(instrument.name);
  const reference = quote?.mark ?? quote?.index ?? leg.priceOptions.price;
  const isSizedInUsd = instrument.amountUnit === 'usd';
  const isOfCoins = instrument.kind === 'option' || isCombo(instrument);
  const at = reference ?? (isSizedInUsd || isOfCoins ? price('0') : undefined);
  const usd = at && orderUsd({ instrument, quantity: leg.quantity, price: at }, quote);
  if (usd === undefined) {
    const why =
      `its value is unknown: no price of ${isOfCoins ? instrument.base : instrument.name} ` +
      'is known yet; accepted: the same request once the venue quotes it';
    complain('quantity', why, 'unavailable');
  } else if (isMore(usd, legUsdMax)) {
    complain(
      'quantity',
      `is worth ${text(rounded(usd, 0, 'half_up'))} USD; accepted: at most ${text(legUsdMax)}`,
      'risk_limit',
    );
  }
}

/** Reference prices at submit, stored for audit. */
function captured(instrument: Instrument, { quote: find, now }: AdmitContext): readonly unknown[] {
  const quote = find(instrument.name);
  if (quote === undefined) return [];
  const prices: unknown[] = [];
  const keep = (type: string, at: Price | undefined): void => {
    if (at !== undefined) prices.push({ type, price: text(at), timestamp: now });
  };
  keep('BID', quote.bid?.price);
  keep('ASK', quote.ask?.price);
  keep('MARK', quote.mark);
  keep('INDEX', quote.index);
  return prices;
}
