// The frames of /ws/portfolio as schemas, each with an example, for the AsyncAPI document.
import { z } from 'zod';
import { orderSchema } from '../order-api/orders/order-schema.ts';
import { portfolioRecordSchema } from '../portfolios/record-schema.ts';
import { DETAILS, detailsText, NEWS_TYPES } from '../stream/news-details.ts';
import { frameSchema } from '../stream/stream-frames.ts';

export interface Message {
  readonly title: string;
  readonly payload: z.ZodType;
  readonly example?: unknown;
}

const digits = (description: string) => z.string().regex(/^\d+$/).describe(description);
const id = z.union([z.string(), z.int(), z.null()]).describe('Id of the frame that this answers');

const channelAnswer = z.object({
  channel: z.string(),
  success: z.boolean(),
  errorMsg: z.string().nullable().describe('What is wrong; null on success'),
  sequence: digits('trade-news: messages above it follow').optional(),
});

export const answerFrame = z.object({
  id,
  op: z.string(),
  code: z.int().describe('0, or the code of what is wrong with the frame as a whole'),
  message: z.string().optional(),
  data: z.array(channelAnswer).optional(),
});

export const newsFrameSchema = z.object({
  op: z.literal('push'),
  channel: z.literal('trade-news'),
  timestamp: digits('When it happened, Unix milliseconds'),
  sequence: digits('Position among all messages; increases in arbitrary steps'),
  data: z.object({
    messageType: z.enum(NEWS_TYPES).describe('More may be added: ignore unknown types'),
    portfolioId: digits('Portfolio'),
    accountId: digits('Account'),
    portfolioType: z.string(),
    portfolioStatus: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
    version: z.int().describe('Increases with the messages of the portfolio'),
    reason: z.string().optional(),
    detail: z
      .union(Object.values(DETAILS))
      .describe(`What happened, by its kind. ${detailsText}`)
      .optional(),
    portfolio: portfolioRecordSchema,
  }),
});

export const resyncFrameSchema = z.object({
  op: z.literal('resync'),
  channel: z.literal('trade-news'),
  sequence: digits('Messages above it follow; those up to it may be missing'),
  reason: z.enum(['forgotten', 'too_much']),
  message: z.string(),
});

export const ordersFrameSchema = z.object({
  op: z.literal('push'),
  channel: z.literal('order.change.any'),
  timestamp: digits('When the orders were read, Unix milliseconds'),
  data: z.object({
    accountId: digits('Account'),
    orders: z.array(orderSchema).describe('Every open order, newest first'),
    changed: z.array(orderSchema).describe('Orders that changed since the frame before'),
  }),
});

const asked = (title: string, example: unknown): Message => ({
  title,
  payload: frameSchema,
  example,
});

/** Frames a client sends, in a plausible order. */
export const ASKED: Readonly<Record<string, Message>> = {
  heartbeat: asked('At least every three minutes', { id: 'h1', op: 'heartbeat' }),
  subscribe: asked('Subscribe to channels', {
    id: 's1',
    op: 'subscribe',
    accountId: 10001,
    data: [{ channel: 'trade-news' }, { channel: 'order.change.any' }],
  }),
  unsubscribe: asked('Unsubscribe from channels', {
    id: 'u1',
    op: 'un-subscribe',
    data: [{ channel: 'trade-news' }, { channel: 'order.change.any' }],
  }),
  resume: asked('Resume news after the last message received', {
    id: 'r1',
    op: 'subscribe',
    after: '0',
    data: [{ channel: 'trade-news' }],
  }),
};

/** Frames the daemon sends. */
export const TOLD: Readonly<Record<string, Message>> = {
  answer: { title: 'Answer to a frame', payload: answerFrame },
  news: { title: 'What happened to a portfolio', payload: newsFrameSchema },
  resync: {
    title: 'Messages are missing: read the portfolios again',
    payload: resyncFrameSchema,
    example: {
      op: 'resync',
      channel: 'trade-news',
      sequence: '98213999999999',
      reason: 'too_much',
      message: 'messages are missing: read the portfolios again',
    },
  },
  orders: { title: 'Open orders of an account, and what changed', payload: ordersFrameSchema },
};
