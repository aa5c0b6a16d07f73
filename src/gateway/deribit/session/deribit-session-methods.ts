// Methods about the server and the connection: time, tests, heartbeats, subscriptions, and cancel on disconnect.

import { refusal } from '../../../core/order/answer-class.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { done } from '../../order-api/method.ts';
import { CODES, invalidParam, nameOf } from '../../order-api/refusals.ts';
import { lockedIndices } from '../../order-api/session/session-methods.ts';
import { choiceField, textField } from '../../wire/field-kinds.ts';
import { list, optional, optionalOr } from '../../wire/fields.ts';
import {
  changeMethod,
  type DeribitMethod,
  privateMethod,
  publicMethod,
} from '../method/deribit-method.ts';
import { wholeParam } from '../method/deribit-params.ts';

const CHANNELS_PER_REQUEST_MAX = 500;
const HEARTBEAT_SEC = { min: 10, max: 86_400 } as const;

const getTime = publicMethod({
  row: ROWS.getTime,
  params: {},
  run: ({ now }) => done(now()),
});

const test = publicMethod({
  row: ROWS.test,
  params: { expected_result: optional(textField({ min: 0, max: 64, description: 'exception' })) },
  run: ({ session, version }, { expected_result }) => {
    session?.tested();
    return expected_result === 'exception'
      ? { ...refusal(CODES.otherError), message: `${nameOf(CODES.otherError)} exception` }
      : done({ version });
  },
});

const name = (description: string) => optional(textField({ min: 0, max: 256, description }));

const hello = publicMethod({
  row: ROWS.hello,
  params: { client_name: name('Of the program'), client_version: name('Of the program') },
  run: ({ version }) => done({ version }),
});

const status = publicMethod({
  row: ROWS.status,
  params: {},
  run: async ({ orders, exchangeId }) => {
    const { locked, lockedIndices: indices } = await lockedIndices(orders.markets());
    // Not Deribit's: a ledger stays bound to the exchange it has traded on.
    const identity = exchangeId === undefined ? {} : { exchange_id: exchangeId };
    return done({ locked, locked_indices: indices, ...identity });
  },
});

const setHeartbeat = publicMethod({
  row: ROWS.setHeartbeat,
  params: { interval: wholeParam({ min: 0, max: HEARTBEAT_SEC.max, description: 'Seconds' }) },
  run: ({ session }, { interval }) => {
    if (interval < HEARTBEAT_SEC.min) {
      return invalidParam('interval', `value must be >= ${HEARTBEAT_SEC.min}`);
    }
    session?.setHeartbeat(interval);
    return done('ok');
  },
});

const disableHeartbeat = publicMethod({
  row: ROWS.disableHeartbeat,
  params: {},
  run: ({ session }) => {
    session?.setHeartbeat(0);
    return done('ok');
  },
});

const channels = list(textField({ max: 128, description: 'Channel' }), {
  max: CHANNELS_PER_REQUEST_MAX,
  description: 'Channel names',
  of: 'channels',
});
const label = optional(textField({ min: 0, max: 16, description: 'Echoed in each notification' }));

const subscribing = (kind: 'public' | 'private') => [
  publicMethod({
    row: kind === 'private' ? ROWS.subscribePrivate : ROWS.subscribe,
    params: { channels, label },
    run: ({ session, login }, wish) =>
      session?.subscribe({ ...wish, ...(kind === 'private' ? { login } : {}) }) ?? done([]),
  }),
  publicMethod({
    row: kind === 'private' ? ROWS.unsubscribePrivate : ROWS.unsubscribe,
    params: { channels },
    run: ({ session }, wish) => done(session?.unsubscribe(wish.channels) ?? []),
  }),
  publicMethod({
    row: kind === 'private' ? ROWS.unsubscribeAllPrivate : ROWS.unsubscribeAll,
    params: {},
    run: ({ session }) => {
      session?.unsubscribeAll();
      return done('ok');
    },
  }),
];

const scope = optionalOr(
  choiceField(
    { connection: 'connection', account: 'account' } as const,
    'connection (default): this connection; account: this and every later connection of the account',
  ),
  'connection',
);

const switching = (verb: 'enable' | 'disable') =>
  changeMethod({
    row: ROWS[`${verb}CancelOnDisconnect`],
    params: { scope },
    about: () => ({}),
    run: ({ session, account }, params) => {
      session?.cancelOnDisconnect(account, params.scope, verb === 'enable');
      return done('ok');
    },
  });

const getCancelOnDisconnect = privateMethod({
  row: ROWS.getCancelOnDisconnect,
  params: { scope },
  run: ({ session, account }, params) =>
    done({
      scope: params.scope,
      enabled: session?.cancelsOnDisconnect(account, params.scope) ?? false,
    }),
});

export const DERIBIT_SESSION_METHODS: readonly DeribitMethod[] = [
  getTime,
  test,
  hello,
  status,
  setHeartbeat,
  disableHeartbeat,
  ...subscribing('public'),
  ...subscribing('private'),
  switching('enable'),
  switching('disable'),
  getCancelOnDisconnect,
];
