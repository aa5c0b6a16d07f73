// Encodes news between the processes of one deployment. Each message carries its sender and a number that
// increases by one, so that a repeated message is recognised.
import { z } from 'zod';
import type { PortfolioNews } from '../../ports/event-bus.ts';
import { INSTANT_MAX } from '../../values/instant.ts';

/** Raised when a process of an older build could not read the message. */
const VERSION = 1;
const MESSAGE_CHARS_MAX = 4_000_000;

export interface NewsMessage {
  readonly from: string;
  readonly sequence: number;
  readonly news: PortfolioNews;
}

const NewsShape = z.looseObject({
  messageType: z.enum([
    'PORTFOLIO_SUBMITTED',
    'PORTFOLIO_STARTED',
    'PORTFOLIO_SLICE',
    'PORTFOLIO_SLICE_MISSED',
    'PORTFOLIO_PART_STARTED',
    'PORTFOLIO_PART_CHASED',
    'PORTFOLIO_HEDGE_OPEN',
    'PORTFOLIO_PART_DONE',
    'PORTFOLIO_WAITING',
    'PORTFOLIO_ORDER_REJECTED',
    'PORTFOLIO_PART_FILLED',
    'PORTFOLIO_RFQ_SENT',
    'PORTFOLIO_RFQ_OPEN',
    'PORTFOLIO_RFQ_QUOTED',
    'PORTFOLIO_RFQ_ACCEPTING',
    'PORTFOLIO_RFQ_REFUSED',
    'PORTFOLIO_RFQ_UNANSWERED',
    'PORTFOLIO_RFQ_CANCELLING',
    'PORTFOLIO_RFQ_OVER',
    'PORTFOLIO_PAUSED',
    'PORTFOLIO_RESUMED',
    'PORTFOLIO_AMENDED',
    'PORTFOLIO_FILLED',
    'PORTFOLIO_CANCELLING',
    'PORTFOLIO_CANCELLED',
    'PORTFOLIO_FAILED',
  ] satisfies PortfolioNews['messageType'][]),
  portfolio: z.string().regex(/^\d{1,16}$/),
  account: z.string().min(1).max(64),
  version: z.int().nonnegative(),
  at: z.int().nonnegative().max(INSTANT_MAX),
  reason: z.string().optional(),
  record: z.looseObject({
    portfolio: z.string(),
    account: z.string(),
    status: z.string(),
    legs: z.array(z.looseObject({ legId: z.string() })),
  }),
});

const MessageShape = z.object({
  v: z.literal(VERSION),
  from: z.string().min(1).max(64),
  sequence: z.int().positive(),
  news: NewsShape,
});

/** The beginning of every message of a sender. */
export const messageStart = (from: string): string =>
  `${JSON.stringify({ v: VERSION, from }).slice(0, -1)},`;

/** Sent when a process starts listening. */
export const encodeHello = (from: string): string =>
  JSON.stringify({ v: VERSION, from, hello: true });

export const encodeNews = ({ from, sequence, news }: NewsMessage): string =>
  JSON.stringify({ v: VERSION, from, sequence, news });

/** A notice about a topic, with what it is about. */
export interface NudgeMessage {
  readonly nudge: string;
  readonly text: string;
}

/** Announces that something in the ledger changed. */
export const encodeNudge = (from: string, { nudge, text }: NudgeMessage): string =>
  JSON.stringify({ v: VERSION, from, nudge, ...(text !== '' && { text }) });

const NudgeShape = z.object({
  v: z.literal(VERSION),
  from: z.string(),
  nudge: z.string().min(1).max(64),
  text: z.string().max(128).default(''),
});

const HelloShape = z.object({ v: z.literal(VERSION), from: z.string(), hello: z.literal(true) });

/** The message, `hello`, a nudge, or a sentence saying why the text is none of them. Never throws. */
export function decodeNews(text: string): NewsMessage | NudgeMessage | string {
  if (text.length > MESSAGE_CHARS_MAX) return `message of ${text.length} characters is too long`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return `message is not JSON: ${error.message}`;
  }
  // Most messages are news: to try the other shapes on them costs more than to read them.
  if (has(value, 'hello') && HelloShape.safeParse(value).success) return 'hello';
  const nudge = has(value, 'nudge') ? NudgeShape.safeParse(value) : undefined;
  if (nudge?.success === true) return { nudge: nudge.data.nudge, text: nudge.data.text };
  const read = MessageShape.safeParse(value);
  if (!read.success) return z.prettifyError(read.error);
  const { from, sequence, news } = read.data;
  // The record is not validated field by field: it comes from the same deployment and is passed on unchanged.
  return { from, sequence, news: news as unknown as PortfolioNews };
}

const has = (value: unknown, key: string): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key);
