import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { portfolioRecordSchema } from '../../../src/gateway/portfolios/record-schema.ts';
import { LedgerFailure } from '../../../src/ports/ledger.ts';
import {
  BOUND,
  GatewayUnderTest,
  NOW_MS,
  PATH,
  perpetualBody,
  READER,
  STRANGER,
  TAKER,
} from '../gateway-under-test.ts';

const LOOSE = { perSecond: 100_000, burst: 100_000 };
let gateway: GatewayUnderTest;

beforeAll(async () => {
  gateway = await GatewayUnderTest.start({ rates: { read: LOOSE, submit: LOOSE, cancel: LOOSE } });
});
afterAll(() => gateway.close());
beforeEach(() => {
  gateway.operations.failure = undefined;
});

const submitted = async (): Promise<string> =>
  String((await gateway.submit(perpetualBody())).json.value.portfolioId);

describe('submit', () => {
  it('submit returns the id as a number and passes the form to the engine', async () => {
    const { status, json } = await gateway.submit(perpetualBody({ strategy: 'Custom' }));
    expect(status).toBe(200);
    expect(json).toEqual({
      succ: true,
      code: 0,
      message: '',
      value: { portfolioId: expect.any(Number) },
    });
    expect(gateway.operations.forms.at(-1)).toMatchObject({
      accountId: '10001',
      strategy: 'Custom',
    });
    expect(gateway.operations.records.get(String(json.value.portfolioId))).toMatchObject({
      uid: TAKER.uid,
      nickname: TAKER.nickname,
    });
  });

  it('submit returns the ids of the mirrors in the dummy accounts', async () => {
    const { json } = await gateway.submit(perpetualBody({ sendToDummyAccountIds: [20001] }));
    const [mirror] = json.value.mirrorPortfolioIds;
    expect(gateway.operations.records.get(String(mirror))?.account).toBe('20001');
  });

  it('submit passes on the refusals of the engine, each with field and code', async () => {
    const { status, json } = await gateway.submit(perpetualBody({ customizedNote: 'refuse me' }));
    expect(status).toBe(200);
    expect(json).toEqual({
      succ: false,
      code: 40004,
      message:
        'twapTrade.durationSec: is 600; accepted: 900 to 86400; ' +
        'legs[0].quantity: is 1; accepted: at least 10',
      value: null,
      errors: [
        {
          field: 'twapTrade.durationSec',
          code: 40004,
          message: 'is 600; accepted: 900 to 86400',
        },
        { field: 'legs[0].quantity', code: 40006, message: 'is 1; accepted: at least 10' },
      ],
    });
  });

  it('submit refuses an Idempotency-Key of more than 64 characters', async () => {
    const bad = await gateway.submit(perpetualBody(), {
      headers: { 'Idempotency-Key': 'x'.repeat(65) },
    });
    expect(bad.json.errors).toMatchObject([{ field: 'Idempotency-Key', code: 40001 }]);
  });

  it('plan only previews a submit', async () => {
    const before = gateway.operations.records.size;
    const { json } = await gateway.request(`${PATH}/plan`, { body: perpetualBody(), by: READER });
    expect(gateway.operations.records.size).toBe(before);
    expect(json.value).toMatchObject({
      startTimestamp: String(NOW_MS),
      legs: [{ instrument: 'BTC-PERPETUAL', side: 1, slices: 2 }],
      slices: [
        { leg: 0, slice: 0, dueTimestamp: String(NOW_MS), quantity: '5000' },
        { leg: 0, slice: 1, cumulativeQuantity: '10000' },
      ],
    });
  });
});

describe('info and page', () => {
  it('info and page show the record', async () => {
    const id = await submitted();
    const { json } = await gateway.request(`${PATH}/info?portfolioId=${id}`, { by: READER });
    expect(portfolioRecordSchema.strict().parse(json.value)).toEqual(json.value);
    expect(json.value).toMatchObject({
      portfolioId: id,
      accountName: 'account 10001',
      exchange: 'PAPER',
      portfolioStatus: 1,
    });
    const page = await gateway.request(
      `${PATH}/page?accountId=10001&portfolioType=TWAP&pageSize=100`,
    );
    expect(page.json.value.values).toContainEqual(json.value);
  });

  it('count pages by the page size', async () => {
    await submitted();
    const { json } = await gateway.request(`${PATH}/page?accountId=10001&pageSize=1`);
    expect(json.value.pageCount).toBe(json.value.totalCount);
    expect(json.value.values).toHaveLength(1);
  });

  it('info and page answer an empty page when filters contradict each other', async () => {
    const before = gateway.operations.pages.length;
    const { json } = await gateway.request(
      `${PATH}/page?accountId=10001&portfolioTag=ORDER_HISTORY&status=1`,
    );
    expect(json.value).toEqual({ pageCount: 0, totalCount: 0, values: [] });
    expect(gateway.operations.pages).toHaveLength(before);
  });

  it('info and page answer not found for an unknown portfolio', async () => {
    const { status, json } = await gateway.request(`${PATH}/info?portfolioId=4711`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ succ: false, code: 40401, value: null });
  });
});

describe('cancel', () => {
  it('cancel accepts the id as number or text, and refuses an ended portfolio', async () => {
    const id = await submitted();
    const first = await gateway.request(`${PATH}/cancel`, { body: { portfolioId: Number(id) } });
    expect(first.json).toEqual({ succ: true, code: 0, message: '', value: null });
    const again = await gateway.request(`${PATH}/cancel`, { body: { portfolioId: id } });
    expect(again).toMatchObject({ status: 200, json: { succ: false, code: 40901 } });
  });

  it.each(['pause', 'cancel'])(
    '%s names the open exposure of hedges in its value',
    async (name) => {
      const id = await submitted();
      const instrument = 'BTC-PERPETUAL';
      gateway.operations.unhedged = [
        { legId: `${id}-1`, instrument, side: 'sell', quantity: '100000' },
      ];
      const { json } = await gateway.request(`${PATH}/${name}`, { body: { portfolioId: id } });
      gateway.operations.unhedged = null;
      const leg = { legId: `${id}-1`, instrument, side: 2, unhedgedQuantity: '100000' };
      expect(json).toEqual({ succ: true, code: 0, message: '', value: { unhedged: [leg] } });
    },
  );

  it('cancel does nothing if the given account differs', async () => {
    const id = await submitted();
    const { json } = await gateway.request(`${PATH}/cancel`, {
      body: { portfolioId: id, accountId: 20001 },
    });
    expect(json.succ).toBe(false);
    expect(gateway.operations.records.get(id)?.status).toBe('pending');
  });

  it('cancel with a filter cancels all matching portfolios and answers with a null value', async () => {
    const body = { accountId: 10001, portfolioType: 'TWAP', derivativesType: 'FUTURES' };
    const { json } = await gateway.request(`${PATH}/cancel-all`, { body });
    expect(json).toEqual({ succ: true, code: 0, message: '', value: null });
    expect(gateway.operations.cancelAlls.at(-1)).toMatchObject({
      filter: { account: '10001', portfolioType: 'TWAP', kinds: ['perpetual', 'future'] },
      by: { uid: TAKER.uid },
    });
    const before = gateway.operations.cancelAlls.length;
    await gateway.request(`${PATH}/cancel-all`, { body: { ...body, derivativesType: 'GRFQ' } });
    expect(gateway.operations.cancelAlls).toHaveLength(before);
  });
});

describe('authorization:', () => {
  it('submit of a portfolio that ends in a Block RFQ needs the scope blockRfq too', async () => {
    const execution = { endAction: 'rfq', rfq: { limitBps: 10 } };
    const body = perpetualBody({ execution });
    const asked = async (by: typeof TAKER) => await gateway.request(`${PATH}/submit`, { body, by });
    expect(await asked(BOUND)).toMatchObject({
      status: 403,
      json: { code: 40301, message: expect.stringContaining('blockRfq') },
    });
    expect(await asked(TAKER)).toMatchObject({ status: 200, json: { succ: true } });
    const { json } = await gateway.request(`${PATH}/submit`, { body: perpetualBody(), by: BOUND });
    expect(json).toMatchObject({ succ: true });
  });

  it.each([
    ['submit', perpetualBody(), 'accountId'],
    ['plan', perpetualBody(), 'accountId'],
    [
      'submit',
      perpetualBody({ accountId: 10002, sendToDummyAccountIds: [20001] }),
      'sendToDummyAccountIds[0]',
    ],
    ['cancel', { portfolioId: 1, accountId: 10001 }, 'accountId'],
    ['cancel-all', { accountId: 10001 }, 'accountId'],
  ])('%s is refused on a foreign account', async (operation, body, field) => {
    const { status, json } = await gateway.request(`${PATH}/${operation}`, { body, by: STRANGER });
    expect(status).toBe(403);
    expect(json.errors).toMatchObject([{ field, code: 40301 }]);
  });
});

describe('an internal failure', () => {
  it('an internal failure distinguishes an unavailable ledger from one that may have executed the request', async () => {
    gateway.operations.failure = new LedgerFailure('secret host is down', false);
    const away = await gateway.submit(perpetualBody());
    expect(away).toMatchObject({ status: 503, json: { succ: false, code: 50301 } });
    expect(away.headers.get('retry-after')).toBe('1');
    expect(away.json.message).toContain('nothing was done');
    gateway.operations.failure = new LedgerFailure('timed out', true);
    expect((await gateway.submit(perpetualBody())).json.message).toContain(
      'may have been executed',
    );
  });

  it('an internal failure is reported, but its text is not shown to the client', async () => {
    gateway.operations.failure = new Error('secret words');
    const { status, json } = await gateway.request(`${PATH}/plan`, { body: perpetualBody() });
    expect(status).toBe(500);
    expect(json).toMatchObject({ succ: false, code: 50001, message: 'internal error' });
    expect(gateway.reported.at(-1)).toEqual(gateway.operations.failure);
  });
});
