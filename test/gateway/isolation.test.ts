// Calls every operation with insufficient rights: with a foreign account, foreign ids, too narrow a scope, or
// no key. A new operation is covered as soon as it is in its table.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isChange } from '../../src/gateway/auth/key-needs.ts';
import type { ApiKey } from '../../src/gateway/auth/key-store.ts';
import type { Method } from '../../src/gateway/order-api/method.ts';
import { METHODS } from '../../src/gateway/order-api/method-table.ts';
import { must } from '../../src/values/assert.ts';
import { nonEmpty } from '../support/non-empty.ts';
import {
  GatewayUnderTest,
  NOTHING,
  perpetualBody,
  READER,
  SECOND_MAKER,
  STRANGER,
  TAKER,
} from './gateway-under-test.ts';
import { RfqTraders } from './order-api/block-rfq/block-rfq-acts.ts';
import { RidClient } from './order-api/rid-client.ts';
import { BTC, type RidAnswer, RidStage } from './order-api/rid-stage.ts';

const FORBIDDEN = 13021;
const UNAUTHORIZED = 13009;
const LABEL = 'foreign order';
const OVERRIDE = {
  control: 'price_collar',
  instrumentName: BTC,
  side: 'buy',
  quantity: '100',
  reason: 'drill',
};
/** Operations that need no key. */
const OPEN = ['healthz', 'readyz', 'metrics'];
const UNKNOWN = { orderId: '999999999', label: 'unknown' };

const KEYLESS = [...METHODS.values()].filter(({ needs }) => needs !== 'nothing');
const named = (methods: readonly Method[]): [string, Method][] =>
  methods.map((method) => [method.name, method]);

describe('the order methods', () => {
  let stage: RidStage;
  let traders: RfqTraders;
  const clients = new Map<ApiKey | null, RidClient>();
  let foreign: { readonly orderId: string; readonly label: string };

  beforeAll(async () => {
    stage = await RidStage.start();
    traders = new RfqTraders(stage);
    for (const key of [TAKER, READER, STRANGER, null]) {
      clients.set(key, await RidClient.connect(stage, key));
    }
    const price = await stage.restingPrice('buy');
    const order = { instrumentName: BTC, quantity: '100', type: 'limit', price, label: LABEL };
    const placed = await stage.post('private/buy', order, STRANGER);
    foreign = { orderId: placed.result.order.orderId, label: LABEL };
  });
  afterAll(async () => {
    for (const client of clients.values()) await client.close();
    await stage.close();
  });

  /** Calls over HTTP if the method is served there, otherwise over a socket. */
  async function request(
    method: Method,
    params: Readonly<Record<string, unknown>>,
    by: ApiKey | null,
  ): Promise<Pick<RidAnswer, 'result' | 'error'>> {
    return method.isWebSocketOnly
      ? await must(clients.get(by), 'a connection').request(method.name, params)
      : await stage.post(method.name, params, by);
  }

  test.each(named(KEYLESS))('%s is refused for a foreign account', async (_, method) => {
    const params = { ...method.example, accountId: STRANGER.accounts[0] };
    const { result, error } = await request(method, params, TAKER);
    expect([result, error?.code, error?.data?.param]).toEqual([undefined, FORBIDDEN, 'accountId']);
    const unknown = await request(method, { ...params, accountId: '777' }, TAKER);
    expect(unknown.error).toEqual(error);
  });

  test.each(named(KEYLESS))('%s is refused without a key', async (_, method) => {
    const { result, error } = await request(method, method.example, null);
    expect([result, error?.code]).toEqual([undefined, UNAUTHORIZED]);
  });

  test.each(named(KEYLESS.filter(({ needs }) => isChange(needs))))(
    '%s is refused to a read-only key',
    async (_, method) => {
      const { result, error } = await request(method, method.example, READER);
      expect([result, error?.code]).toEqual([undefined, FORBIDDEN]);
      expect(error?.data?.reason).toContain('this key lacks the scope');
    },
  );

  test.each(named(KEYLESS.filter(({ isWebSocketOnly }) => !isWebSocketOnly)))(
    '%s is refused to a key without a scope for it',
    async (_, method) => {
      const { result, error } = await request(method, method.example, NOTHING);
      expect([result, error?.code]).toEqual([undefined, FORBIDDEN]);
    },
  );

  /** Methods that create something: their label is a new one. */
  const isPlacing = ({ name }: Method): boolean => /\/(buy|sell|create_rfq)$/.test(name);
  const byId = KEYLESS.filter(
    (method) => ('orderId' in method.example || 'label' in method.example) && !isPlacing(method),
  );

  test.each(named(byId))('%s reveals nothing about a foreign order', async (_, method) => {
    const withIds = (ids: typeof foreign) => ({
      ...method.example,
      ...('orderId' in method.example ? { orderId: ids.orderId } : {}),
      ...('label' in method.example ? { label: ids.label } : {}),
    });
    const theirs = await request(method, withIds(foreign), TAKER);
    const unknown = await request(method, withIds(UNKNOWN), TAKER);
    expect([theirs.result, theirs.error]).toEqual([unknown.result, unknown.error]);
  });

  const ofRfqs = KEYLESS.filter(
    ({ example }) => 'blockRfqId' in example || 'quoteId' in example || 'role' in example,
  );

  test.each(named(ofRfqs))('%s reveals nothing about a foreign Block RFQ', async (_, method) => {
    // The ids a maker knows, used by a maker who was not addressed, and by a taker.
    const rfq = await traders.created({ makers: ['MAKER1'], label: LABEL });
    const quote = await traders.quoted({ label: LABEL });
    const ids = [rfq.blockRfqId, quote.blockRfqId];
    for (const by of [SECOND_MAKER, TAKER]) {
      const withIds = (blockRfqId: string, quoteId: string) => ({
        ...method.example,
        ...('blockRfqId' in method.example ? { blockRfqId } : {}),
        ...('quoteId' in method.example ? { quoteId } : {}),
        ...('role' in method.example ? { role: 'maker', blockRfqId } : {}),
      });
      const unknown = await request(method, withIds('1', '1'), by);
      for (const id of by === TAKER ? ids.slice(1) : ids) {
        const theirs = await request(method, withIds(id, quote.quoteId), by);
        expect([theirs.result, theirs.error]).toEqual([unknown.result, unknown.error]);
      }
    }
    const { results } = (await stage.post('block/rfqs/get_quotes', {}, STRANGER)).result;
    expect(results).toMatchObject([{ quoteId: quote.quoteId, status: 'open' }]);
    await stage.post('block/rfqs/cancel_rfq', { blockRfqId: rfq.blockRfqId });
  });

  test('methods that list or cancel many orders do not touch foreign orders', async () => {
    const many = KEYLESS.filter(({ name }) => /cancel|get_|history|trades/.test(name));
    for (const method of many) {
      const params =
        'label' in method.example ? { ...method.example, label: LABEL } : method.example;
      const text = JSON.stringify(await request(method, params, TAKER));
      expect([method.name, text.includes(LABEL)]).toEqual([method.name, false]);
    }
    const { result } = await stage.post(
      'private/get_order_state',
      { orderId: foreign.orderId },
      STRANGER,
    );
    expect(result.orderState).toBe('open');
  });
});

describe('the portfolio operations', () => {
  let gateway: GatewayUnderTest;
  let theirs: number;
  /** Every operation of the document other than the order methods, by the last segment of its path. */
  const paths = new Map<string, string>();
  beforeAll(async () => {
    gateway = await GatewayUnderTest.start();
    const body = perpetualBody({ accountId: 10002 });
    theirs = (await gateway.submit(body, { by: STRANGER })).json.value.portfolioId;
    const { json } = await gateway.request('/openapi.json', { by: null });
    for (const path of Object.keys(json.paths)) {
      if (!path.startsWith('/api/')) paths.set(path.split('/').at(-1) ?? '', path);
    }
  });
  afterAll(() => gateway.close());

  interface Operation {
    readonly method: 'GET' | 'POST';
    readonly isChange: boolean;
    /** The request for a foreign account or portfolio. */
    readonly foreign: () => readonly [target: string, body?: unknown];
    readonly code: number;
  }

  const OPERATIONS: Readonly<Record<string, Operation>> = {
    submit: {
      method: 'POST',
      isChange: true,
      foreign: () => ['', perpetualBody({ accountId: 10002 })],
      code: 40301,
    },
    plan: {
      method: 'POST',
      isChange: false,
      foreign: () => ['', perpetualBody({ accountId: 10002 })],
      code: 40301,
    },
    info: {
      method: 'GET',
      isChange: false,
      foreign: () => [`?portfolioId=${theirs}`],
      code: 40401,
    },
    history: {
      method: 'GET',
      isChange: false,
      foreign: () => [`?portfolioId=${theirs}`],
      code: 40401,
    },
    course: {
      method: 'GET',
      isChange: false,
      foreign: () => [`?portfolioId=${theirs}`],
      code: 40401,
    },
    report: {
      method: 'GET',
      isChange: false,
      foreign: () => [`?portfolioId=${theirs}`],
      code: 40401,
    },
    'report-summary': {
      method: 'GET',
      isChange: false,
      foreign: () => ['?accountId=10002'],
      code: 40301,
    },
    page: { method: 'GET', isChange: false, foreign: () => ['?accountId=10002'], code: 40301 },
    counts: { method: 'GET', isChange: false, foreign: () => ['?accountId=10002'], code: 40301 },
    cancel: {
      method: 'POST',
      isChange: true,
      foreign: () => ['', { portfolioId: theirs }],
      code: 40401,
    },
    pause: {
      method: 'POST',
      isChange: true,
      foreign: () => ['', { portfolioId: theirs }],
      code: 40401,
    },
    resume: {
      method: 'POST',
      isChange: true,
      foreign: () => ['', { portfolioId: theirs }],
      code: 40401,
    },
    amend: {
      method: 'POST',
      isChange: true,
      foreign: () => ['', { portfolioId: theirs }],
      code: 40401,
    },
    'cancel-all': {
      method: 'POST',
      isChange: true,
      foreign: () => ['', { accountId: 10002 }],
      code: 40301,
    },
    actions: {
      method: 'GET',
      isChange: false,
      foreign: () => ['?accountId=10002'],
      code: 40301,
    },
    override: {
      method: 'POST',
      isChange: true,
      foreign: () => ['', { ...OVERRIDE, accountId: 10002 }],
      code: 40301,
    },
  };

  interface OfTheDeployment {
    readonly body?: unknown;
    readonly isForAnyKey?: boolean;
    /** A key that only reads may change it. */
    readonly isForReaders?: boolean;
  }

  /**
   * Operations about the whole deployment, or about everything of the key; they never name a single account.
   */
  const OF_THE_DEPLOYMENT: Readonly<Record<string, OfTheDeployment>> = {
    switches: {},
    overrides: {},
    limits: {},
    summary: {},
    'switch-history': {},
    unaccounted: {},
    whoami: { isForAnyKey: true },
    switch: { body: { scope: 'account', of: '10002', state: 'halted', reason: 'drill' } },
    'override-grant': { body: { id: 'none' } },
    keys: {},
    strategies: {},
    'strategy-switch': { body: { strategy: 'none', state: 'off', reason: 'drill' } },
    'page-sessions': {},
    'page-code': { body: { purpose: 'open' }, isForReaders: true },
    'page-session-end': { body: { id: 'none' }, isForReaders: true },
  };

  function request(name: string, by: ApiKey | null, headers: Record<string, string> = {}) {
    const operation = must(OPERATIONS[name], name);
    const [query, body] = operation.foreign();
    return gateway.request(`${paths.get(name)}${query}`, {
      method: operation.method,
      body,
      by,
      headers,
    });
  }

  test('the tested operations are those of the document', () => {
    const named = [...Object.keys(OPERATIONS), ...Object.keys(OF_THE_DEPLOYMENT), ...OPEN];
    expect([...paths.keys()].sort()).toEqual(named.sort());
  });

  test.each(Object.entries(OF_THE_DEPLOYMENT))(
    '%s is refused without a key and without the scope for it, which for most changes is admin',
    async (name, { body, isForAnyKey, isForReaders }) => {
      const asked = body === undefined ? {} : { body };
      const target = must(paths.get(name), name);
      const stranger = await gateway.request(target, { ...asked, by: null });
      expect([stranger.status, stranger.json.code]).toEqual([401, 40101]);
      if (isForAnyKey) return;
      const isRead = body === undefined || isForReaders === true;
      for (const by of isRead ? [SECOND_MAKER] : [READER, STRANGER]) {
        const few = await gateway.request(target, { ...asked, by });
        expect([by.id, few.status, few.json.code]).toEqual([by.id, 403, 40301]);
        expect(few.json.message).toContain('this key lacks the scope');
      }
    },
  );

  test.each(Object.entries(OPERATIONS))(
    '%s is refused for a foreign account or portfolio',
    async (name, { code }) => {
      const { json } = await request(name, TAKER);
      expect([json.succ, json.code, json.value]).toEqual([false, code, null]);
      expect(JSON.stringify(json)).not.toContain('stranger');
    },
  );

  test.each(Object.keys(OPERATIONS))('%s is refused without a key', async (name) => {
    const { status, json } = await request(name, null);
    expect([status, json.code, json.value]).toEqual([401, 40101, null]);
  });

  test.each(Object.entries(OPERATIONS).filter(([, { isChange }]) => isChange))(
    '%s is refused to a read-only key',
    async (name) => {
      const { status, json } = await request(name, READER);
      expect([status, json.code]).toEqual([403, 40301]);
      expect(json.message).toContain('this key lacks the scope');
    },
  );

  test.each(Object.keys(OPERATIONS))(
    '%s is refused to a key without a scope for it',
    async (name) => {
      const { status, json } = await request(name, SECOND_MAKER);
      expect([status, json.code]).toEqual([403, 40301]);
      expect(json.message).toContain('this key lacks the scope');
    },
  );

  test('a foreign portfolio gets the same answer as a missing one', async () => {
    const byId = Object.keys(OPERATIONS).filter((name) => OPERATIONS[name]?.code === 40401);
    for (const name of nonEmpty(byId)) {
      const before = theirs;
      const foreign = await request(name, TAKER);
      theirs = 1;
      const unknown = await request(name, TAKER);
      theirs = before;
      expect([name, foreign.json]).toEqual([name, unknown.json]);
    }
    expect(gateway.operations.records.get(String(theirs))?.status).toBe('pending');
    expect(gateway.operations.cancelAlls).toEqual([]);
  });
});
