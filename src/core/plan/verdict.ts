// What a plan will cost, what it needs, and what prevents it: the current market, the limits of the deployment, the
// account, the venue's clock. A fault means that it cannot complete as things are.
import {
  fraction,
  isMore,
  isPositive,
  type Money,
  plus,
  type Quantity,
  ratioOf,
  share,
  text,
  ZERO_MONEY,
} from '../../values/amounts.ts';
import type { Currency } from '../../values/ids.ts';
import { DAY_MS, type Instant, isoText, MINUTE_MS, nextDailyUtc } from '../../values/instant.ts';
import { isCombo } from '../../values/instrument.ts';
import { repriceEveryMs } from '../pricing/child-price.ts';
import type { PortfolioSpec } from '../terms/spec.ts';
import { endRfqOutlook } from './end-rfq-outlook.ts';
import { type LegEstimate, type LegQuestion, legEstimate } from './leg-estimate.ts';
import { marginNeed } from './margin-estimate.ts';

/** Hour in UTC of the venue's daily settlement and of expiries. */
const SETTLEMENT_HOUR = 8;
/** The delivery price is averaged over this long before the expiry. */
const DELIVERY_AVERAGE_MS = 30 * MINUTE_MS;

export interface VerdictQuestion {
  readonly spec: PortfolioSpec;
  readonly startAt: Instant;
  /** Including the time the end action may add. */
  readonly endAt: Instant;
  /** In the order of the specification. */
  readonly legs: readonly (Omit<LegQuestion, 'execution'> & {
    /** Volume traded on the venue in the last 24 hours; absent = unknown. */
    readonly dayVolume?: Quantity | undefined;
  })[];
  /** When children are due, in epoch milliseconds, earliest first; empty for a leg that follows fills. */
  readonly dueAts: readonly number[];
  /** Available on the account, by currency; absent = unknown. */
  readonly available: ReadonlyMap<Currency, Money>;
  /** Largest leg of a Block RFQ in USD; absent = no limit. */
  readonly blockUsdMax?: Money | undefined;
  readonly orderRate?: { readonly perSecond: number; readonly burst: number } | undefined;
}

export interface Finding {
  readonly kind: 'fault' | 'warning' | 'note';
  /** Index of the leg concerned, if there is one. */
  readonly leg?: number | undefined;
  readonly about:
    | 'schedule'
    | 'price'
    | 'depth'
    | 'margin'
    | 'settlement'
    | 'expiry'
    | 'rate'
    | 'participation'
    | 'end';
  readonly message: string;
}

export interface MarginLine {
  readonly currency: Currency;
  readonly needed: Money;
  readonly available?: Money | undefined;
}

export interface Verdict {
  /** False exactly if there is a fault. */
  readonly canComplete: boolean;
  readonly findings: readonly Finding[];
  readonly legs: readonly LegEstimate[];
  readonly margin: readonly MarginLine[];
  readonly orders: OrderLoad;
}

export function verdictOf(question: VerdictQuestion): Verdict {
  const { spec, legs } = question;
  const estimates = legs.map((leg) => legEstimate({ ...leg, execution: spec.execution }));
  const margin = marginLines(question, estimates);
  const orders = orderLoad(spec, question.dueAts);
  const findings: Finding[] = [];
  for (const [leg, estimate] of estimates.entries()) {
    findings.push(...priceFindings(estimate, leg));
  }
  for (const [index, leg] of legs.entries()) {
    findings.push(...participationFindings(question, leg, index), ...comboFindings(leg, index));
  }
  for (const line of margin) findings.push(...marginFindings(line));
  findings.push(...settlementFindings(question), ...expiryFindings(question));
  findings.push(...rateFindings(orders, question.orderRate), ...endFindings(question));
  const canComplete = findings.every(({ kind }) => kind !== 'fault');
  return { canComplete, findings, legs: estimates, margin, orders };
}

function priceFindings({ waits, beyondDepth, resting }: LegEstimate, leg: number): Finding[] {
  const found: Finding[] = [];
  if (waits !== undefined) {
    const message = `nothing could be placed now: ${waits}`;
    found.push({ kind: 'warning', leg, about: 'price', message });
  }
  if (isPositive(beyondDepth)) {
    const message = `${text(beyondDepth)} exceeds the depth shown within the price; it would be retried`;
    found.push({ kind: 'warning', leg, about: 'depth', message });
  }
  if (isPositive(resting)) {
    const message = `${text(resting)} would rest at its price and fill only when the market comes to it`;
    found.push({ kind: 'note', leg, about: 'price', message });
  }
  return found;
}

function comboFindings(
  { instrument, needs }: VerdictQuestion['legs'][number],
  leg: number,
): Finding[] {
  if (!isCombo(instrument) || needs !== undefined) return [];
  const message = `fee and margin of ${instrument.name} are those of its legs, and the venue does not say them`;
  return [{ kind: 'note', leg, about: 'margin', message }];
}

function participationFindings(
  { spec, startAt, endAt }: VerdictQuestion,
  { dayVolume, spec: leg }: VerdictQuestion['legs'][number],
  index: number,
): Finding[] {
  const { participationMax } = spec.execution;
  if (participationMax === undefined || leg.hedge) return [];
  const about = 'participation';
  if (dayVolume === undefined) {
    const message = 'the traded volume of the instrument is unknown';
    return [{ kind: 'warning', leg: index, about, message }];
  }
  const room = share(dayVolume, ratioOf((participationMax * (endAt - startAt)) / DAY_MS));
  if (!isMore(leg.quantity, room)) return [];
  const percent = Math.floor(100 * fraction(room, leg.quantity));
  const message = `at the volume of the last 24 hours its share covers ${percent} % of the leg`;
  return [{ kind: 'fault', leg: index, about, message }];
}

function marginLines(
  { legs, available }: VerdictQuestion,
  estimates: readonly LegEstimate[],
): MarginLine[] {
  const needed = new Map<Currency, Money>();
  legs.forEach(({ instrument, spec, quote, needs }, index) => {
    const price = estimates[index]?.average ?? estimates[index]?.mid;
    if (price === undefined || spec.reduceOnly) return;
    const { side, quantity } = spec;
    const need =
      needs === undefined
        ? marginNeed({ instrument, side, quantity, price, index: quote?.index })
        : { currency: instrument.settlement, amount: needs.margin };
    if (need === undefined) return;
    needed.set(need.currency, plus(needed.get(need.currency) ?? ZERO_MONEY, need.amount));
  });
  return [...needed].map(([currency, amount]) => ({
    currency,
    needed: amount,
    available: available.get(currency),
  }));
}

function marginFindings({ currency, needed, available }: MarginLine): Finding[] {
  if (available === undefined || !isMore(needed, available)) return [];
  const message = `needs about ${text(needed)} ${currency}; available: ${text(available)}`;
  return [{ kind: 'fault', about: 'margin', message }];
}

function settlementFindings({ spec, startAt, endAt }: VerdictQuestion): Finding[] {
  const at = nextDailyUtc(startAt, SETTLEMENT_HOUR);
  if (at > endAt) return [];
  const isAvoided = spec.execution.quiet !== undefined;
  const message = isAvoided
    ? `avoids the settlement at ${isoText(at)}`
    : `trades across the settlement at ${isoText(at)}, when books pause; avoidWindows would avoid it`;
  return [{ kind: isAvoided ? 'note' : 'warning', about: 'settlement', message }];
}

function expiryFindings({ legs, endAt }: VerdictQuestion): Finding[] {
  return legs.flatMap(({ instrument }, leg): Finding[] => {
    const { expiresAt, name } = instrument;
    if (expiresAt === undefined || endAt <= expiresAt - DELIVERY_AVERAGE_MS) return [];
    const message = `${name} expires ${isoText(expiresAt)}: the end falls into the half hour its delivery price is averaged over`;
    return [{ kind: 'warning', leg, about: 'expiry', message }];
  });
}

function endFindings({ spec, endAt, legs, blockUsdMax }: VerdictQuestion): Finding[] {
  const { rfq } = spec.execution;
  if (rfq === undefined) return [];
  const { note, blocked } = endRfqOutlook({ rfq, endAt, legs, blockUsdMax });
  return [
    { kind: 'note', about: 'end', message: note },
    ...blocked.map(({ leg, why }): Finding => {
      const message = `the Block RFQ at the end would be blocked if nothing filled: ${why}`;
      return { kind: 'warning', leg, about: 'end', message };
    }),
  ];
}

function rateFindings(
  { mostAtOnce, perSecond }: OrderLoad,
  rate: VerdictQuestion['orderRate'],
): Finding[] {
  if (rate === undefined) return [];
  const about = 'rate';
  if (perSecond > rate.perSecond) {
    const message = `makes ${perSecond.toFixed(1)} requests per second while children rest; the venue accepts ${rate.perSecond}`;
    return [{ kind: 'fault', about, message }];
  }
  if (mostAtOnce <= rate.burst) return [];
  const message = `sends ${mostAtOnce} orders at once; the venue accepts ${rate.burst}, the rest is delayed`;
  return [{ kind: 'warning', about, message }];
}

/**
 * The request load that a plan puts on a venue: children due together, and edits of resting children that follow a
 * price.
 */
interface OrderLoad {
  /** Number of children if each slice needs one. */
  readonly children: number;
  /** Largest number due within one second. */
  readonly mostAtOnce: number;
  /** Edits per second while every leg has a resting child. */
  readonly perSecond: number;
}

/** Escalated children check their reference once a second. */
const ESCALATED_PER_SECOND = 1;

/** `dueAts` in epoch milliseconds, earliest first. */
function orderLoad({ legs, execution }: PortfolioSpec, dueAts: readonly number[]): OrderLoad {
  let [mostAtOnce, inSecond, second] = [0, 0, Number.NaN];
  for (const dueAt of dueAts) {
    const own = Math.floor(dueAt / 1_000);
    inSecond = own === second ? inSecond + 1 : 1;
    second = own;
    mostAtOnce = Math.max(mostAtOnce, inSecond);
  }
  const perSecond = legs.reduce((sum, { pricing }) => {
    const everyMs = repriceEveryMs(pricing);
    const own = everyMs === undefined ? 0 : 1_000 / everyMs;
    return sum + (execution.escalation === undefined ? own : ESCALATED_PER_SECOND);
  }, 0);
  return { children: dueAts.length, mostAtOnce, perSecond };
}
