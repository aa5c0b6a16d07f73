// Schemas of the `detail` of each trade-news message, for the documents: what happened, as stored in the
// portfolio's history. Amounts are text, instants Unix milliseconds.
import { z } from 'zod';
import type { EventKind } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { NewsType } from '../../ports/event-bus.ts';

const at = z.int().describe('When it happened, Unix milliseconds');
const leg = z.int().describe('Index of the leg, from 0');
const instrument = z.string().describe('Instrument of the leg');
const slice = z.int().describe('Index of the slice, from 0');
const part = z.int().describe('Index of the part, from 0');
const amount = (description: string) => z.string().describe(description);
const instant = (description: string) => z.int().describe(`${description}, Unix milliseconds`);
const label = z.string().describe('Label of the child order');
const perLeg = (description: string) => z.array(z.string()).describe(`Per leg: ${description}`);
const code = z.int().describe("The venue's code");
const message = z.string().describe("The venue's message");
const by = z.string().describe('User who requested it');
const liquidity = z.enum(['maker', 'taker']);
const rfq = z.int().describe('Number of the RFQ, from 1');
const accept = z.int().describe('Number of the accept, from 1');
const reason = z.string().describe('Why');

const terms = z.object({
  durationMs: z.int(),
  legs: z.array(
    z.object({
      quantity: z.string(),
      pricing: z.looseObject({ type: z.enum(['market', 'limit', 'dynamic']) }),
      hedgeBasis: perLeg(
        'total in whose proportion the hedge is kept; absent: the totals in force',
      ).optional(),
    }),
  ),
  limits: z.looseObject({ maxCatchUp: z.number(), collar: z.string() }).optional(),
});

const detail = <K extends EventKind, S extends z.ZodRawShape>(kind: K, shape: S) =>
  z.object({ kind: z.literal(kind), at, ...shape });

/** Detail schemas by kind of event. */
export const DETAILS = {
  started: detail('started', {}),
  slice_started: detail('slice_started', {
    leg,
    instrument,
    slice,
    dueAt: instant('When it was due'),
    endsAt: instant('When it ends'),
    planned: amount('Planned size'),
    quantity: amount('Requested size, including catch-up'),
    traded: amount('Volume traded in the instrument so far; with a participation cap').optional(),
    isCover: z
      .literal(true)
      .describe('Hedges what was executed before the portfolio was paused or cancelled')
      .optional(),
  }),
  slices_missed: detail('slices_missed', {
    leg,
    instrument,
    from: slice.describe('First slice that was missed'),
    to: slice.describe('Last slice that was missed'),
    skipped: amount('Quantity skipped with them; absent: caught up').optional(),
  }),
  slice_waiting: detail('slice_waiting', {
    leg,
    instrument,
    slice,
    reason,
    why: z.string().describe('risk_limit: the control, its limit and the value').optional(),
  }),
  part_started: detail('part_started', {
    part,
    stage: z.enum(['work', 'sweep']),
    targets: perLeg('total quantity after the part'),
  }),
  part_chased: detail('part_chased', {
    part,
    stage: z.enum(['chase', 'sweep']),
    missing: perLeg('quantity missing for the part'),
  }),
  part_ended: detail('part_ended', { part, filled: perLeg('filled by now') }),
  child_rejected: detail('child_rejected', {
    label,
    leg,
    instrument,
    code,
    message,
    retry: z.boolean().describe('Another attempt may follow'),
  }),
  fill_booked: detail('fill_booked', {
    label,
    leg,
    instrument,
    tradeId: z.string(),
    orderId: z.string(),
    quantity: amount('Filled'),
    price: amount('At'),
    fee: amount('Fee'),
    feeCurrency: z.string(),
    liquidity,
    tradedAt: instant('When it traded'),
  }),
  fill_mirrored: detail('fill_mirrored', {
    leg,
    instrument,
    number: z.int().describe("Number among the mirrored portfolio's fills, from 1").optional(),
    tradeId: z.string(),
    quantity: amount("The mirror's share"),
    original: amount('Filled by the mirrored portfolio; absent: the same').optional(),
    price: amount('At'),
    liquidity,
    tradedAt: instant('When it traded'),
  }),
  hedge_left_open: detail('hedge_left_open', {
    leg,
    instrument,
    quantity: amount('What the fills of the other legs require of the hedge, and it does not have'),
  }),
  paused: detail('paused', { by }),
  resumed: detail('resumed', { by }),
  amended: detail('amended', {
    by,
    number: z.int().describe('Number of the amendment, from 1'),
    before: terms,
    after: terms,
    replans: z
      .array(z.object({ from: z.int(), slice, done: z.string() }).nullable())
      .describe('Per leg: slice from which it is planned anew; null if unchanged'),
    repriced: z.array(leg).describe('Legs whose resting orders are repriced'),
  }),
  rfq_intended: detail('rfq_intended', {
    number: rfq,
    rfqLabel: z.string(),
    legs: z.array(z.object({ leg, quantity: z.string(), hedgePrice: z.string().optional() })),
    validUntil: instant('From when on the venue must reject it'),
    endsAt: instant('When it is cancelled at the latest'),
  }),
  rfq_opened: detail('rfq_opened', {
    number: rfq,
    rfqId: z.string(),
    quantity: amount('Quantity of the structure'),
    ratios: z.array(z.object({ leg, ratio: z.string() })),
  }),
  rfq_quoted: detail('rfq_quoted', {
    number: rfq,
    price: amount('Best price for the whole; absent: none now').optional(),
    makers: z.int(),
    isWhole: z.boolean().describe('Whether one maker quotes the whole quantity'),
  }),
  rfq_accept_intended: detail('rfq_accept_intended', {
    number: rfq,
    accept,
    price: amount('Price that is accepted'),
    limit: amount('Worst acceptable price').optional(),
    labels: z.array(z.string()).describe('One for each leg'),
    validUntil: instant('From when on the venue must reject it'),
  }),
  rfq_refused: detail('rfq_refused', {
    number: rfq,
    code,
    message,
    retryAt: instant('When it may be retried; absent: final').optional(),
  }),
  rfq_accept_refused: detail('rfq_accept_refused', { number: rfq, accept, code, message }),
  rfq_unknown: detail('rfq_unknown', { number: rfq, reason }),
  rfq_accept_unknown: detail('rfq_accept_unknown', { number: rfq, accept, reason }),
  rfq_cancel_intended: detail('rfq_cancel_intended', {
    number: rfq,
    reason,
    retryAt: instant('When it is queried again without a report'),
  }),
  rfq_over: detail('rfq_over', {
    number: rfq,
    outcome: z.enum(['traded', 'refused', 'unsent', 'cancelled', 'expired', 'failed']),
    price: amount('Trade price of the structure').optional(),
  }),
  rfq_skipped: detail('rfq_skipped', { why: z.string().describe('Why no RFQ was created') }),
  filled: detail('filled', {}),
  cancelling: detail('cancelling', { reason, by }),
  cancelled: detail('cancelled', { reason, residual: perLeg('not filled') }),
  assumption_broken: detail('assumption_broken', {
    label,
    what: z.string(),
    leg: leg.optional(),
    instrument: instrument.optional(),
  }),
} as const;

export type DetailKind = keyof typeof DETAILS;

/** The possible `detail` schemas of each message; none for a submit, whose record contains everything. */
export const NEWS_DETAILS = {
  PORTFOLIO_SUBMITTED: [],
  PORTFOLIO_STARTED: ['started'],
  PORTFOLIO_SLICE: ['slice_started'],
  PORTFOLIO_SLICE_MISSED: ['slices_missed'],
  PORTFOLIO_PART_STARTED: ['part_started'],
  PORTFOLIO_PART_CHASED: ['part_chased'],
  PORTFOLIO_PART_DONE: ['part_ended'],
  PORTFOLIO_WAITING: ['slice_waiting'],
  PORTFOLIO_ORDER_REJECTED: ['child_rejected'],
  PORTFOLIO_PART_FILLED: ['fill_booked', 'fill_mirrored'],
  PORTFOLIO_RFQ_SENT: ['rfq_intended'],
  PORTFOLIO_RFQ_OPEN: ['rfq_opened'],
  PORTFOLIO_RFQ_QUOTED: ['rfq_quoted'],
  PORTFOLIO_RFQ_ACCEPTING: ['rfq_accept_intended'],
  PORTFOLIO_RFQ_REFUSED: ['rfq_refused', 'rfq_accept_refused'],
  PORTFOLIO_RFQ_UNANSWERED: ['rfq_unknown', 'rfq_accept_unknown'],
  PORTFOLIO_RFQ_CANCELLING: ['rfq_cancel_intended'],
  PORTFOLIO_RFQ_OVER: ['rfq_over', 'rfq_skipped'],
  PORTFOLIO_HEDGE_OPEN: ['hedge_left_open'],
  PORTFOLIO_PAUSED: ['paused'],
  PORTFOLIO_RESUMED: ['resumed'],
  PORTFOLIO_AMENDED: ['amended'],
  PORTFOLIO_FILLED: ['filled'],
  PORTFOLIO_CANCELLING: ['cancelling'],
  PORTFOLIO_CANCELLED: ['cancelled'],
  PORTFOLIO_FAILED: ['assumption_broken'],
} as const satisfies Readonly<Record<NewsType, readonly DetailKind[]>>;

export const NEWS_TYPES = Object.keys(NEWS_DETAILS) as readonly NewsType[] as readonly [
  NewsType,
  ...NewsType[],
];

/** A line per message, such as "PORTFOLIO_RFQ_OVER: rfq_over, rfq_skipped". */
export const detailsText = Object.entries(NEWS_DETAILS)
  .map(([type, kinds]) => `${type}: ${kinds.join(', ') || 'none'}`)
  .join('\n');
