// A plan as sentences: what is bought or sold, in how many slices of which size, how often, from when until when.
import type { PlanRecord } from '../../../gateway/client/client.ts';
import { counted, grouped } from '../../../values/text/written-figures.ts';
import { isGreater } from '../exact-sum.ts';
import { dateText, minuteText, spanText } from '../formatting.ts';
import type { Body } from './form-schema.ts';

type PlannedLeg = PlanRecord['legs'][number];
type Slices = PlanRecord['slices'];

interface PlanFrame {
  /** Of the sizes of the leg; `undefined` while it is not known. */
  readonly unit: string | undefined;
  /** Whether it starts as soon as it is accepted. */
  readonly startsNow: boolean;
  readonly nowMs: number;
}

export const startsNow = ({ twapTrade }: Body): boolean =>
  (twapTrade as { readonly startTimestamp?: unknown } | undefined)?.startTimestamp === undefined;

export function legSentence(plan: PlanRecord, leg: number, frame: PlanFrame): string {
  const own = plan.legs[leg];
  if (own === undefined) return '';
  const unit = frame.unit === undefined ? '' : ` ${frame.unit}`;
  const what = `${own.side === 1 ? 'Buy' : 'Sell'} ${own.instrument}`;
  if (own.hedge) return `${what}: up to ${grouped(own.quantity)}${unit}, as the other legs fill.`;
  const slices = plan.slices.filter((slice) => slice.leg === leg);
  if (slices.length === 0) return `${what}: ${grouped(own.quantity)}${unit}, not by the clock.`;
  const count = counted(slices.length, 'slice');
  const from = frame.startsNow ? 'now' : at(plan.startTimestamp, frame);
  const until = at(plan.endTimestamp, frame);
  return `${what}: ${count} of ${sizesOf(slices)}${unit}${paceOf(slices)}, from ${from} until ${until} UTC.`;
}

/** Without its day if that is today's. */
function at(timestamp: string, { nowMs }: PlanFrame): string {
  const ms = Number(timestamp);
  const day = dateText(ms);
  return day === dateText(nowMs) ? minuteText(ms) : `${day} ${minuteText(ms)}`;
}

function sizesOf(slices: Slices): string {
  const sizes = slices.map(({ quantity }) => quantity);
  const least = sizes.reduce((a, b) => (isGreater(a, b) === true ? b : a));
  const most = sizes.reduce((a, b) => (isGreater(b, a) === true ? b : a));
  return least === most ? grouped(least) : `${grouped(least)} to ${grouped(most)}`;
}

function paceOf(slices: Slices): string {
  const due = slices.map(({ dueTimestamp }) => Number(dueTimestamp));
  const gaps = due.slice(1).map((ms, index) => ms - (due[index] ?? ms));
  const [first] = gaps;
  if (first === undefined) return '';
  if (gaps.every((gap) => gap === first)) return `, one every ${spanText(first)}`;
  const mean = gaps.reduce((a, b) => a + b, 0) / gaps.length;
  return `, one every ${spanText(Math.round(mean / SECOND_MS) * SECOND_MS)} or so`;
}

const SECOND_MS = 1_000;

const AT_END: Readonly<Record<string, string>> = {
  cancel: 'stays unfilled',
  market: 'is traded at the market, within the collar',
  sweep: 'is traded near the mark price, within the end cap',
  extend: 'is traded slice by slice until it is done or the extension is over',
  rfq: 'is requested as a Block RFQ',
};

/** What becomes of the residual; empty of a portfolio that does not end by the clock. */
export function endSentence({ portfolioType, execution }: Body): string {
  if (portfolioType === 'BALANCE') return '';
  const { endAction = 'cancel' } = (execution ?? {}) as { readonly endAction?: string };
  const word = Object.hasOwn(AT_END, endAction) ? AT_END[endAction] : undefined;
  return word === undefined ? '' : `What is left at the end ${word}.`;
}

/** Such as "Buy 6,000 USD of BTC-PERPETUAL, 60 slices". */
export function legText({ instrument, side, quantity, slices, hedge }: PlannedLeg, unit?: string) {
  const size = `${grouped(quantity)}${unit === undefined ? '' : ` ${unit} of`} ${instrument}`;
  const how = hedge ? 'at most, as the other legs fill' : counted(slices, 'slice');
  return `${side === 1 ? 'Buy' : 'Sell'} ${size}, ${how}`;
}
