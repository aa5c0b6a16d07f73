// What happened to a portfolio, and why a slice sent nothing, in sentences. Text of others is passed on as it is: it is
// shown as text.
import type { HistoryRecord } from '../../../gateway/client/client.ts';
import { grouped } from '../../../values/text/written-figures.ts';

/** A message of the history. */
export type HistoryEvent = HistoryRecord['events'][number];

const WAITS: Readonly<Record<string, string>> = {
  nothing_due: 'nothing was due',
  below_minimum: 'what is due is below the minimum order',
  no_reference: 'there is no price to go by',
  stale_reference: 'the market data is too old',
  outside_band: 'the price is outside what the venue accepts',
  risk_limit: 'a risk limit does not permit it',
  rejected: 'the venue refused it',
  late: 'it was too late to send',
  wide_spread: 'the spread is too wide',
  slippage_cap: 'the price has moved too far since the slice began',
  price_band: 'the price is too far from the mark',
  worst_price: 'the price is worse than the worst allowed',
  participation: 'its share of the traded volume is used up',
  order_cap: 'it wants more than one order may be, and the rest follows',
  message_budget: 'the message budget is short',
  quiet_window: 'a blackout window',
  halted: 'trading is halted or reducing',
  mmp_frozen: 'market-maker protection has tripped',
  missed: 'its time passed before it could run',
};

const ENDS: Readonly<Record<string, string>> = {
  user_request: 'somebody asked for it',
  cancel_all: 'somebody cancelled all portfolios',
  time_limit: 'its time is over',
  expired: 'an instrument expired',
  reject: 'the venue kept refusing it',
  risk: 'a risk limit',
  below_minimum: 'what remains is below the minimum order',
};

export const waitText = (reason: string): string => WAITS[reason] ?? reason;
export const endText = (reason: string): string => ENDS[reason] ?? reason;

type Detail = Readonly<Record<string, unknown>>;

/** A decimal of the daemon. */
const amount = (value: unknown): string => grouped(word(value));

const word = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Slices are counted from 1 on the page. */
const number = (index: unknown): string => (typeof index === 'number' ? String(index + 1) : '?');

/** One sentence without its instant; whom and what it names is as the daemon stored it. */
export function historyText({
  messageType,
  reason = '',
  detail = undefined,
}: HistoryEvent): string {
  const of = (detail ?? {}) as Detail;
  const where = of['instrument'] === undefined ? '' : ` of ${word(of['instrument'])}`;
  switch (messageType) {
    case 'PORTFOLIO_SUBMITTED':
      return 'Submitted.';
    case 'PORTFOLIO_STARTED':
      return 'Started.';
    case 'PORTFOLIO_SLICE':
      return `Slice ${number(of['slice'])}${where} started: ${amount(of['quantity'])} wanted, ${amount(of['planned'])} planned.`;
    case 'PORTFOLIO_SLICE_MISSED':
      return `Slices ${number(of['from'])} to ${number(of['to'])}${where} were missed.`;
    case 'PORTFOLIO_PART_STARTED':
      return `Part ${number(of['part'])} started.`;
    case 'PORTFOLIO_PART_DONE':
      return `Part ${number(of['part'])} is done.`;
    case 'PORTFOLIO_PART_CHASED':
      return `Part ${number(of['part'])} goes through the market: ${word(of['stage'])}.`;
    case 'PORTFOLIO_WAITING': {
      const why = of['why'] === undefined ? '' : ` (${word(of['why'])})`;
      return `Slice ${number(of['slice'])}${where} waits: ${waitText(reason)}${why}.`;
    }
    case 'PORTFOLIO_ORDER_REJECTED':
      return `An order${where} was refused: ${word(of['message'])} (${word(of['code'])}).`;
    case 'PORTFOLIO_PART_FILLED':
      return `Filled ${amount(of['quantity'])}${where} at ${amount(of['price'])} as ${word(of['liquidity'])}.`;
    case 'PORTFOLIO_HEDGE_OPEN':
      return `Not hedged${where}: ${amount(of['quantity'])} are missing.`;
    case 'PORTFOLIO_PAUSED':
      return `Paused by ${word(of['by'])}.`;
    case 'PORTFOLIO_RESUMED':
      return `Resumed by ${word(of['by'])}.`;
    case 'PORTFOLIO_AMENDED':
      return `Amended by ${word(of['by'])}.`;
    case 'PORTFOLIO_FILLED':
      return 'Every leg is filled.';
    case 'PORTFOLIO_CANCELLING':
      return `A cancel began: ${endText(reason)}.`;
    case 'PORTFOLIO_CANCELLED':
      return `Cancelled: ${endText(reason)}.`;
    case 'PORTFOLIO_FAILED':
      return `The venue contradicted itself: ${word(of['what'])}.`;
    default:
      return rfqText(messageType, of);
  }
}

function rfqText(messageType: string, of: Detail): string {
  const name = messageType.replace('PORTFOLIO_RFQ_', '').toLowerCase();
  const rest = ['price', 'reason', 'message', 'outcome']
    .flatMap((field) => (of[field] === undefined ? [] : [word(of[field])]))
    .join(', ');
  return `Block RFQ ${name}${rest === '' ? '' : `: ${rest}`}.`;
}

export interface AmendmentRow {
  readonly version: number;
  readonly atMs: number;
  readonly by: string;
  /** Such as `total of leg 1: 10 → 12`. */
  readonly changes: readonly string[];
}

interface Terms {
  readonly durationMs?: number;
  readonly legs?: readonly { readonly quantity: string; readonly pricing: unknown }[];
  readonly limits?: Readonly<Record<string, unknown>>;
}

export function amendmentRow({ version, timestamp, detail }: HistoryEvent): AmendmentRow {
  const of = (detail ?? {}) as Detail;
  const [before, after] = [of['before'] as Terms | undefined, of['after'] as Terms | undefined];
  const changes: string[] = [];
  if (before?.durationMs !== after?.durationMs) {
    changes.push(
      `duration: ${secondsText(before?.durationMs)} → ${secondsText(after?.durationMs)}`,
    );
  }
  for (const [index, leg] of (after?.legs ?? []).entries()) {
    const old = before?.legs?.[index];
    if (old?.quantity !== leg.quantity) {
      const was = old === undefined ? '?' : grouped(old.quantity);
      changes.push(`total of leg ${index + 1}: ${was} → ${grouped(leg.quantity)}`);
    }
    if (JSON.stringify(old?.pricing) !== JSON.stringify(leg.pricing)) {
      changes.push(`prices of leg ${index + 1}`);
    }
  }
  const names = new Set([
    ...Object.keys(before?.limits ?? {}),
    ...Object.keys(after?.limits ?? {}),
  ]);
  for (const name of names) {
    const [old, next] = [before?.limits?.[name], after?.limits?.[name]];
    if (old !== next) changes.push(`${name}: ${word(old) || 'off'} → ${word(next) || 'off'}`);
  }
  return { version, atMs: Number(timestamp), by: word(of['by']), changes };
}

const secondsText = (ms: number | undefined): string =>
  ms === undefined ? '?' : `${ms / 1_000} s`;
