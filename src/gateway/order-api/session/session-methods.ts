// Methods about the server and the connection: time, tests, heartbeats, subscriptions, and
// cancel-on-disconnect.

import { z } from 'zod';
import { refusal } from '../../../core/order/answer-class.ts';
import type { MarketReads } from '../../../ports/market-reads.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { choiceField, textField, writtenDigits } from '../../wire/field-kinds.ts';
import { field, list, optional, optionalOr } from '../../wire/fields.ts';
import { accountSessionMethod, done, type Method, publicMethod, sessionMethod } from '../method.ts';
import { CODES, nameOf } from '../refusals.ts';

const CHANNELS_PER_REQUEST_MAX = 500;
const HEARTBEAT_SEC = { min: 10, max: 3_600 } as const;

const ok = z.literal('ok');
const versionSchema = z.object({ version: z.string().describe('Of the server') });
const channelsSchema = z.array(z.string()).describe('Granted channels');

const getTime = publicMethod({
  row: ROWS.getTime,
  summary: 'Server time, Unix milliseconds',
  params: {},
  result: z.int(),
  example: {},
  run: ({ now }) => done(now()),
});

const test = publicMethod({
  row: ROWS.test,
  summary: 'Tests the connection; answers a test request',
  params: {
    expectedResult: optional(
      choiceField({ exception: 'exception' } as const, 'exception: provoke a refusal'),
    ),
  },
  result: versionSchema,
  example: {},
  run: ({ session, version }, { expectedResult }) => {
    session?.tested();
    return expectedResult === undefined
      ? done({ version })
      : { ...refusal(CODES.otherError), message: `${nameOf(CODES.otherError)} exception` };
  },
});

const hello = publicMethod({
  row: ROWS.hello,
  summary: 'Identifies the client program',
  params: {
    clientName: textField({ max: 64, description: 'Name of the program' }),
    clientVersion: textField({ max: 64, description: 'Its version' }),
  },
  result: versionSchema,
  example: { clientName: 'example', clientVersion: '1.0' },
  run: ({ version }) => done({ version }),
});

const status = publicMethod({
  row: ROWS.status,
  summary: 'Whether trading is locked',
  params: {},
  result: z.object({
    locked: z.enum(['true', 'partial', 'false']),
    lockedIndices: z.array(z.string()),
    exchangeId: z
      .string()
      .optional()
      .describe(
        'Identifies the state of the exchange; absent if there is not exactly one exchange',
      ),
  }),
  example: {},
  run: async ({ orders, exchangeId }) => {
    const locks = await lockedIndices(orders.markets());
    return done(exchangeId === undefined ? locks : { ...locks, exchangeId });
  },
});

/** An index is locked if the market that leads it is. */
export async function lockedIndices(markets: readonly MarketReads[]) {
  const locked: string[] = [];
  let count = 0;
  for (const market of markets) {
    const listed = market.listed({ expired: false });
    const led = new Set(listed.map(({ indexName }) => indexName));
    const names = market.indexNames().filter((name) => led.has(name));
    const isLocked = await Promise.all(
      names.map(async (name) => {
        const members = listed.filter(({ indexName }) => indexName === name);
        const leader = members.find(({ kind }) => kind === 'perpetual') ?? members[0];
        return (leader && (await market.ticker(leader.name)))?.state === 'locked';
      }),
    );
    locked.push(...names.filter((_, index) => isLocked[index]));
    count += names.length;
  }
  const isWhole = locked.length === count && count > 0;
  const some = locked.length > 0 ? 'partial' : 'false';
  return { locked: isWhole ? 'true' : some, lockedIndices: locked };
}

const setHeartbeat = sessionMethod({
  row: ROWS.setHeartbeat,
  summary: 'Turns heartbeats on; test requests must be answered with public/test',
  params: {
    interval: field<number, number>({
      schema: { type: 'integer', minimum: HEARTBEAT_SEC.min, maximum: HEARTBEAT_SEC.max },
      description: 'Seconds',
      accepted: `value must be >= ${HEARTBEAT_SEC.min}, a whole number of seconds up to ${HEARTBEAT_SEC.max}`,
      read: (value) =>
        Number.isInteger(value) &&
        (value as number) >= HEARTBEAT_SEC.min &&
        (value as number) <= HEARTBEAT_SEC.max
          ? (value as number)
          : undefined,
    }),
  },
  result: ok,
  example: { interval: 30 },
  run: ({ session }, { interval }) => {
    session.setHeartbeat(interval);
    return done('ok');
  },
});

const disableHeartbeat = sessionMethod({
  row: ROWS.disableHeartbeat,
  summary: 'Turns heartbeats off',
  params: {},
  result: ok,
  example: {},
  run: ({ session }) => {
    session.setHeartbeat(0);
    return done('ok');
  },
});

const channels = list(textField({ max: 128, description: 'Channel' }), {
  min: 1,
  max: CHANNELS_PER_REQUEST_MAX,
  description: 'Channel names',
  of: 'channels',
});
const label = optional(
  textField({ max: 16, description: 'Echoed in each notification, at most 16 characters' }),
);
/** A sequence above MAX_SAFE_INTEGER cannot be ours; it is treated as no longer retained. */
const after = optional(
  field<number, string | number>({
    schema: { type: ['string', 'integer'], pattern: '^\\d{1,30}$' },
    description:
      'user.orders, user.trades, user.changes: replay first what followed the notification with this sequence; 0 to get the current sequence',
    accepted: 'the sequence of a notification, digits only',
    read: (value) => {
      const digits = writtenDigits(value);
      return digits !== undefined && /^\d{1,30}$/.test(digits) ? Number(digits) : undefined;
    },
  }),
);
const subscribeExample = { channels: ['ticker.BTC-PERPETUAL.100ms'] };

const subscriptions = [
  sessionMethod({
    row: ROWS.subscribe,
    summary: 'Subscribe to public channels',
    params: { channels, label },
    result: channelsSchema,
    example: subscribeExample,
    run: ({ session }, wish) => session.subscribe(wish),
  }),
  accountSessionMethod({
    row: ROWS.subscribePrivate,
    summary: 'Subscribe to channels, including those of an account',
    params: { channels, label, after },
    result: channelsSchema,
    example: { channels: ['user.orders.BTC-PERPETUAL.raw', 'user.trades.any.any.raw'] },
    run: ({ session, account }, wish) => session.subscribe({ ...wish, account }),
  }),
  sessionMethod({
    row: ROWS.unsubscribe,
    summary: 'Unsubscribe from channels',
    params: { channels },
    result: channelsSchema,
    example: subscribeExample,
    run: ({ session }, wish) => done(session.unsubscribe(wish.channels)),
  }),
  accountSessionMethod({
    row: ROWS.unsubscribePrivate,
    summary: 'Unsubscribe from channels',
    params: { channels },
    result: channelsSchema,
    example: { channels: ['user.trades.any.any.raw'] },
    run: ({ session, account }, wish) => done(session.unsubscribe(wish.channels, account)),
  }),
  sessionMethod({
    row: ROWS.unsubscribeAll,
    summary: 'Unsubscribe from all channels',
    params: {},
    result: ok,
    example: {},
    run: ({ session }) => {
      session.unsubscribeAll();
      return done('ok');
    },
  }),
  accountSessionMethod({
    row: ROWS.unsubscribeAllPrivate,
    summary: 'Unsubscribe from all channels',
    params: {},
    result: ok,
    example: {},
    run: ({ session }) => {
      session.unsubscribeAll();
      return done('ok');
    },
  }),
] as const;

const scope = optionalOr(
  choiceField(
    { connection: 'connection', account: 'account' } as const,
    'connection (default): this connection; account: this and every later connection of the account',
  ),
  'connection',
);

const switching = <N extends 'enable' | 'disable'>(verb: N) =>
  accountSessionMethod({
    row: ROWS[`${verb}CancelOnDisconnect`],
    summary:
      verb === 'enable'
        ? 'Cancel the orders made over a connection when it closes'
        : 'Keep the orders when a connection closes',
    params: { scope },
    result: ok,
    example: { scope: 'connection' },
    run: ({ session, account }, params) => {
      session.cancelOnDisconnect(account, params.scope, verb === 'enable');
      return done('ok');
    },
  });

const getCancelOnDisconnect = accountSessionMethod({
  row: ROWS.getCancelOnDisconnect,
  summary: 'Whether orders are cancelled when the connection closes',
  params: { scope },
  result: z.object({ scope: z.enum(['connection', 'account']), enabled: z.boolean() }),
  example: {},
  run: ({ session, account }, params) =>
    done({
      scope: params.scope,
      enabled: session.cancelsOnDisconnect(account, params.scope),
    }),
});

export const SESSION_METHODS = [
  getTime,
  test,
  hello,
  status,
  setHeartbeat,
  disableHeartbeat,
  ...subscriptions,
  switching('enable'),
  switching('disable'),
  getCancelOnDisconnect,
] as const satisfies readonly Method[];
