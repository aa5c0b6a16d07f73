// The frames clients send on the portfolio stream, and their answers. Every channel of a frame is acknowledged
// separately.

import type { z } from 'zod';
import { parseSequence, type Sequence } from '../../values/sequence.ts';
import { charactersOf } from '../../values/text/text-length.ts';
import { accountIdField, choiceField, textField } from '../wire/field-kinds.ts';
import { field, list, optional, optionalOr, record } from '../wire/fields.ts';
import { NumberText } from '../wire/json.ts';

const CHANNELS_PER_FRAME_MAX = 20;

export const CHANNELS = ['trade-news', 'order.change.any'] as const;
export type Channel = (typeof CHANNELS)[number];

export const isChannel = (name: string): name is Channel =>
  (CHANNELS as readonly string[]).includes(name);

/** Text or a number; the answer echoes it unchanged. */
const frameId = field<string | number | NumberText, string | number>({
  schema: { type: ['string', 'integer'], maxLength: 64 },
  description: 'Chosen by the client; echoed in the answer',
  accepted: 'text of at most 64 characters, or a whole number',
  read: (value) => {
    if (typeof value === 'string') return charactersOf(value, 64) <= 64 ? value : undefined;
    if (value instanceof NumberText) return /^-?\d{1,30}$/.test(value.source) ? value : undefined;
    return Number.isSafeInteger(value) ? (value as number) : undefined;
  },
});

const sequenceField = field<Sequence, string | number>({
  schema: { type: ['string', 'integer'], pattern: '^\\d{1,30}$' },
  description: 'trade-news: replay the messages after this sequence',
  accepted: 'the sequence of a message, digits only',
  read: (value) => {
    if (typeof value === 'string') return parseSequence(value);
    if (value instanceof NumberText) return parseSequence(value.source);
    return Number.isSafeInteger(value) ? parseSequence(String(value)) : undefined;
  },
});

export const frameSchema = record(
  {
    id: optional(frameId),
    op: choiceField(
      {
        subscribe: 'subscribe',
        'un-subscribe': 'un-subscribe',
        unsubscribe: 'un-subscribe',
        heartbeat: 'heartbeat',
        ping: 'heartbeat',
      } as const,
      'Operation',
    ),
    accountId: optional(accountIdField('Only this account; required for order.change.any')),
    after: optional(sequenceField),
    data: optionalOr(
      list(record({ channel: textField({ max: 64, description: 'Channel name' }) }, 'A channel'), {
        max: CHANNELS_PER_FRAME_MAX,
        description: 'Channels',
        of: 'channels',
      }),
      [],
    ),
  },
  'A frame',
);

export type Frame = z.output<typeof frameSchema>;

export interface ChannelAnswer {
  readonly channel: string;
  readonly success: boolean;
  readonly errorMsg: string | null;
  /** trade-news: messages above it follow. */
  readonly sequence?: string;
}

export interface FrameAnswer {
  readonly id: string | number | null;
  readonly op: string;
  /** 0, or the code of what is wrong with the frame as a whole. */
  readonly code: number;
  readonly message?: string;
  readonly data?: readonly ChannelAnswer[];
}

/** An id above 2^53 is echoed as the text of its digits. */
export const echoedId = (id: Frame['id']): string | number | null =>
  id instanceof NumberText ? id.source : (id ?? null);
