// Block RFQs through the gateway: the fields of the interface, permissions, the audit trail, and requests that
// are repeated or get no answer.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RfqDesk } from '../../../../src/ports/block-rfq.ts';
import { NOTHING, READER, TAKER } from '../../gateway-under-test.ts';
import { BTC, RidStage } from '../rid-stage.ts';
import { BLOCK, MAKER, RfqTraders, resultOf, rfqParams, SECOND_MAKER } from './block-rfq-acts.ts';

const FORBIDDEN = 13021;
const INVALID = -32602;
const OUTCOME_UNKNOWN = 13028;

let stage: RidStage;
let traders: RfqTraders;
const start = async (rfqsOf?: (rfqs: RfqDesk) => RfqDesk): Promise<void> => {
  await stage?.close();
  stage = await RidStage.start({}, undefined, rfqsOf);
  traders = new RfqTraders(stage);
};
beforeEach(() => start());
afterEach(() => stage.close());

const request = (method: string, params: unknown = {}, by = TAKER) =>
  stage.post(`block/rfqs/${method}`, params, by);

describe('records of the interface', () => {
  it('the taker sees its RFQ completely', async () => {
    const rfq = await traders.created({
      label: 'mine',
      tradeAllocations: [
        { amount: '150000', userId: 7 },
        { amount: '50000', clientInfo: { clientId: 8, clientLinkId: 9 } },
      ],
    });
    expect(rfq).toEqual({
      blockRfqId: expect.stringMatching(/^\d+$/),
      quantity: BLOCK,
      comboId: BTC,
      createdAt: expect.any(Number),
      expiresAt: rfq.createdAt + 300_000,
      lastUpdatedAt: rfq.createdAt,
      makers: ['MAKER1', 'MAKER2'],
      role: 'taker',
      taker: expect.any(String),
      legs: [{ instrumentName: BTC, ratio: '1', side: 'buy' }],
      disclosed: true,
      label: 'mine',
      status: 'created',
      closedReason: null,
      minTradeAmount: expect.stringMatching(/^\d+$/),
      takerRating: expect.any(String),
      asks: [],
      bids: [],
      tradeTriggers: [],
      tradeAllocations: [
        { amount: '150000', userId: 7 },
        { amount: '50000', clientInfo: { clientId: 8, clientLinkId: 9, name: 'Client 8' } },
      ],
    });
  });

  it("records of an RFQ do not show a maker the taker's fields", async () => {
    await traders.created({ label: 'mine', tradeAllocations: [{ amount: BLOCK, userId: 7 }] });
    const params = { role: 'maker', status: 'open', currency: 'BTC' };
    const { blockRfqs, continuation } = resultOf(await request('get_rfqs', params, MAKER));
    expect(continuation).toBeNull();
    expect(blockRfqs).toHaveLength(1);
    const [seen] = blockRfqs;
    expect(seen).toMatchObject({ role: 'maker', makers: [], status: 'open' });
    for (const hidden of ['label', 'asks', 'bids', 'tradeAllocations', 'tradeTriggers']) {
      expect(seen).not.toHaveProperty(hidden);
    }
  });

  it('a maker sees its quote, and the taker its price level', async () => {
    const rfq = await traders.created();
    const quote = await traders.quoted({ label: 'q1' });
    expect(quote).toEqual({
      quoteId: expect.stringMatching(/^\d+$/),
      blockRfqId: expect.not.stringMatching(new RegExp(`^${rfq.blockRfqId}$`)),
      label: 'q1',
      quantity: BLOCK,
      side: 'sell',
      price: quote.legs[0].price,
      executionInstruction: 'any_part_of',
      legs: [{ instrumentName: BTC, ratio: '1', side: 'buy', price: expect.any(String) }],
      filledQuantity: '0',
      createdAt: expect.any(Number),
      lastUpdatedAt: quote.createdAt,
      status: 'open',
      replaced: false,
      appName: null,
    });
    stage.jumpAhead(5_000);
    const one = { blockRfqId: rfq.blockRfqId };
    const { blockRfqs } = resultOf(await request('get_rfqs', one));
    expect(blockRfqs[0]).toMatchObject({
      status: 'open',
      asks: [
        {
          quantity: BLOCK,
          price: quote.price,
          makers: ['MAKER1'],
          executionInstruction: 'any_part_of',
          lastUpdatedAt: quote.lastUpdatedAt,
        },
      ],
    });
  });

  it('both sides see a block trade, and its parts as user trades', async () => {
    const { rfq, quote, accept } = await traders.offered();
    const { blockTrades, tradeTrigger, blockRfq } = resultOf(await traders.trade(accept));
    expect(tradeTrigger).toBeNull();
    expect(blockRfq).toMatchObject({
      status: 'filled',
      trades: [{ side: 'buy', price: quote.price, quantity: BLOCK, maker: 'MAKER1' }],
    });
    expect(blockTrades).toEqual([
      {
        blockTradeId: expect.stringMatching(/^BLOCK-\d+$/),
        blockRfqId: rfq.blockRfqId,
        comboId: BTC,
        timestamp: expect.any(Number),
        side: 'buy',
        price: quote.price,
        quantity: BLOCK,
        maker: 'MAKER1',
        trades: [
          {
            tradeId: expect.any(String),
            instrumentName: BTC,
            side: 'buy',
            quantity: BLOCK,
            price: quote.price,
            fee: expect.any(String),
            feeCurrency: 'BTC',
            markPrice: expect.any(String),
            indexPrice: expect.any(String),
            liquidity: 'T',
            hedge: false,
          },
        ],
      },
    ]);
    const again = resultOf(await request('get_trades', { blockRfqId: rfq.blockRfqId }));
    expect(again).toEqual({ continuation: null, trades: blockTrades });
    const theirs = resultOf(await request('get_trades', { blockRfqId: quote.blockRfqId }, MAKER));
    expect(theirs.trades[0]).toMatchObject({ side: 'sell', trades: [{ liquidity: 'M' }] });
    const params = { instrumentName: BTC, count: 5 };
    const { result } = await stage.post('private/get_user_trades_by_instrument', params);
    expect(result.trades[0]).toMatchObject({
      blockTradeId: blockTrades[0].blockTradeId,
      blockRfqId: rfq.blockRfqId,
    });
  });

  it('the taker sees a waiting accept, and a cancelled RFQ', async () => {
    const { blockRfqId, quantity } = await traders.created();
    stage.jumpAhead(5_000);
    const wait = {
      blockRfqId,
      quantity,
      side: 'buy',
      price: '1000',
      timeInForce: 'good_til_cancelled',
    };
    const { blockTrades, tradeTrigger } = resultOf(await traders.trade(wait));
    expect([blockTrades, tradeTrigger]).toEqual([
      [],
      { state: 'untriggered', side: 'buy', price: '1000' },
    ]);
    const without = resultOf(await request('cancel_trigger', { blockRfqId, side: 'buy' }));
    expect(without.tradeTriggers).toMatchObject([{ state: 'cancelled' }]);
    const over = resultOf(await request('cancel_rfq', { blockRfqId }));
    expect(over).toMatchObject({ status: 'cancelled', closedReason: expect.any(String) });
  });
});

describe('quotes', () => {
  it('quotes are identified by id, or by RFQ and label; an edit with anything else is refused with the missing param', async () => {
    await traders.created();
    const { quoteId, blockRfqId } = await traders.quoted({ label: 'a' });
    const cases = [
      [{}, 'quoteId'],
      [{ label: 'a' }, 'blockRfqId'],
      [{ blockRfqId }, 'label'],
      [{ quoteId, label: 'a' }, 'quoteId'],
    ] as const;
    const { blockRfqId: _, side: __, ...terms } = await traders.quoteParams();
    for (const [params, param] of cases) {
      const { error } = await request('edit_quote', { ...terms, ...params }, MAKER);
      expect([error?.code, error?.data?.param], JSON.stringify(params)).toEqual([INVALID, param]);
    }
    const gone = resultOf(await request('cancel_quote', { blockRfqId, label: 'a' }, MAKER));
    expect(gone).toMatchObject({ quoteId, status: 'cancelled', statusReason: 'user_request' });
  });

  it('quotes need not be identified by a cancel, which then applies to all own quotes that match', async () => {
    const ids = (answer: unknown) =>
      (answer as { results: { quoteId: string; status: string }[] }).results.map(
        ({ quoteId, status }) => [quoteId, status],
      );
    const cancel = async (params: object) =>
      ids(resultOf(await request('cancel_quote', params, MAKER)));
    const quote = async (label: string) =>
      [(await traders.quoted({ label })).quoteId, 'cancelled'] as const;
    await traders.created();
    const [a, b] = [await quote('a'), await quote('b')];
    expect(await cancel({ label: 'a' })).toEqual([a]);
    const { blockRfqId } = await traders.quoteParams();
    const c = await quote('c');
    expect(new Set(await cancel({ blockRfqId }))).toEqual(new Set([b, c]));
    const d = await quote('d');
    expect(await cancel({})).toEqual([d]);
    expect(await cancel({})).toEqual([]);
    expect(await cancel({ blockRfqId })).toEqual([]);
    expect(await cancel({ label: 'never used' })).toEqual([]);
    const unknown = await request('cancel_quote', { blockRfqId: '999999' }, MAKER);
    expect(unknown.error).toMatchObject({ code: 13020, data: { param: 'blockRfqId' } });
    const both = await request('cancel_quote', { quoteId: d[0], blockRfqId }, MAKER);
    expect(both.error).toMatchObject({ code: INVALID, data: { param: 'quoteId' } });
  });

  it('quotes are edited, listed and cancelled together', async () => {
    await traders.created();
    const first = await traders.quoted({ label: 'a' });
    await traders.quoted({ label: 'b', side: 'buy', legs: lower(first.legs) });
    const { blockRfqId: _, side: __, ...terms } = await traders.quoteParams();
    const edited = await request('edit_quote', { ...terms, quoteId: first.quoteId }, MAKER);
    expect(resultOf(edited)).toMatchObject({ quoteId: first.quoteId, replaced: true });
    const { results } = resultOf(await request('get_quotes', { label: 'b' }, MAKER));
    expect(results).toMatchObject([{ label: 'b', side: 'buy' }]);
    expect(resultOf(await request('cancel_all_quotes', {}, MAKER))).toBe(2);
    expect(resultOf(await request('get_quotes', {}, MAKER))).toEqual({ results: [] });
  });

  const lower = (legs: readonly { price: string }[]) =>
    legs.map((leg) => ({ ...leg, price: String(Number(leg.price) - 100) }));
});

describe('permission', () => {
  it('permission to read needs the scope read, trade or blockRfq, and to change the scope blockRfq', async () => {
    for (const [by, isAllowed] of [
      [READER, true],
      [TAKER, true],
      [SECOND_MAKER, true],
      [NOTHING, false],
    ] as const) {
      const { error } = await request('get_makers', {}, by);
      expect([by.id, error?.code]).toEqual([by.id, isAllowed ? undefined : FORBIDDEN]);
    }
    expect((await request('create_rfq', rfqParams(), READER)).error?.code).toBe(FORBIDDEN);
    // A key for Block RFQs alone trades nothing else.
    const buy = { instrumentName: BTC, quantity: '100', type: 'market' };
    expect((await stage.post('private/buy', buy, SECOND_MAKER)).error?.code).toBe(FORBIDDEN);
  });

  it('permission to quote belongs to the addressed makers, never to the taker', async () => {
    const rfq = await traders.created({ makers: ['MAKER1'] });
    const params = await traders.quoteParams();
    const byTaker = await request('create_quote', { ...params, blockRfqId: rfq.blockRfqId });
    expect(byTaker.error).toMatchObject({ code: FORBIDDEN, data: { param: 'accountId' } });
    const uninvited = await request('create_quote', params, SECOND_MAKER);
    expect(uninvited.error?.code).toBe(13020);
    expect((await request('get_quotes')).error?.code).toBe(FORBIDDEN);
  });

  it('permission to trade and cancel belongs to the taker alone', async () => {
    const { accept } = await traders.offered();
    const blockRfqId = await traders.makersId();
    const byMaker = { ...accept, blockRfqId };
    expect((await request('trade', byMaker, MAKER)).error?.code).toBe(FORBIDDEN);
    expect((await request('cancel_rfq', { blockRfqId }, MAKER)).error?.code).toBe(FORBIDDEN);
    expect((await request('trade', accept, MAKER)).error?.code).toBe(13020);
  });

  it('permission to quote is shown by get_user_info, and the addressable makers by get_makers', async () => {
    expect(resultOf(await request('get_user_info', {}, MAKER))).toEqual({
      isMaker: true,
      alias: 'MAKER1',
    });
    expect(resultOf(await request('get_user_info'))).toEqual({ isMaker: false, alias: null });
    const { results } = resultOf(await request('get_makers'));
    expect(results).toEqual(expect.arrayContaining(['MAKER1', 'MAKER2']));
  });
});

describe('instruments', () => {
  const names = [
    'baseCurrency',
    'expiration',
    'instrumentName',
    'kind',
    'marginKind',
    'optionKind',
    'strike',
  ];

  it('instruments have the seven fields of the interface', async () => {
    const { results } = resultOf(await request('get_instruments', { currency: 'any' }));
    for (const one of results) expect(Object.keys(one).sort()).toEqual(names);
    const perpetual = results.find((one: { instrumentName: string }) => one.instrumentName === BTC);
    expect(perpetual).toEqual({
      baseCurrency: 'BTC',
      instrumentName: BTC,
      kind: 'future',
      marginKind: 'reversed',
      optionKind: null,
      strike: null,
      expiration: null,
    });
  });

  it('instruments are filtered by currency, kind and expiry', async () => {
    const list = async (params: object) =>
      resultOf(await request('get_instruments', params)).results as Record<string, unknown>[];
    const options = await list({ currency: 'BTC', kind: 'option' });
    expect(options.length).toBeGreaterThan(0);
    for (const option of options) {
      expect(option).toMatchObject({ kind: 'option', baseCurrency: 'BTC', marginKind: 'reversed' });
      expect(['CALL', 'PUT']).toContain(option['optionKind']);
      expect(option['strike']).toMatch(/^\d+/);
    }
    for (const one of await list({ currency: 'USDC' })) {
      expect(one['marginKind']).toBe('linear');
    }
    expect(await list({ currency: 'any', kind: 'future_combo' })).toEqual([]);
    expect(await list({ currency: 'BTC', expired: true })).toEqual([]);
    const { error } = await request('get_instruments', {});
    expect(error).toMatchObject({ code: INVALID, data: { param: 'currency' } });
  });
});

describe('a request', () => {
  it('repeated with one idempotency key is executed once', async () => {
    const params = rfqParams({ idempotencyKey: 'once', label: 'one' });
    const first = resultOf(await request('create_rfq', params));
    expect(resultOf(await request('create_rfq', params))).toEqual(first);
    const { blockRfqs } = resultOf(await request('get_rfqs', { label: 'one' }));
    expect(blockRfqs).toHaveLength(1);
    const other = await request('create_rfq', { ...params, label: 'two' });
    expect(other.error?.data?.param).toBe('idempotencyKey');
  });

  it('a request to trade that is sent twice trades once', async () => {
    const { rfq, accept } = await traders.offered();
    const answers = await Promise.all([traders.trade(accept), traders.trade(accept)]);
    expect(answers.filter(({ error }) => error === undefined)).toHaveLength(1);
    const { trades } = resultOf(await request('get_trades', { blockRfqId: rfq.blockRfqId }));
    expect(trades).toHaveLength(1);
  });

  it('a request without an answer is reported as unknown, and its outcome can be queried', async () => {
    await start((rfqs) => ({
      ...bound(rfqs),
      accept: async (accept) => {
        await rfqs.accept(accept);
        return { kind: 'unknown', reason: 'the line broke' };
      },
    }));
    const { rfq, accept } = await traders.offered();
    const { status, error } = await traders.trade(accept);
    expect([status, error?.code]).toEqual([503, OUTCOME_UNKNOWN]);
    const { trades } = resultOf(await request('get_trades', { blockRfqId: rfq.blockRfqId }));
    expect(trades).toMatchObject([{ quantity: rfq.quantity }]);
  });

  it('a request is recorded with the RFQ or quote concerned', async () => {
    const { rfq, quote, accept } = await traders.offered({ label: 'mine' });
    await traders.trade(accept);
    await request('cancel_quote', { quoteId: quote.quoteId }, MAKER);
    const found = await stage.actions.find({ limit: 10 });
    expect(found.map(({ method, orderId, outcome }) => [method, orderId, outcome])).toEqual([
      ['block/rfqs/cancel_quote', quote.quoteId, expect.stringMatching(/^refused/)],
      ['block/rfqs/trade', rfq.blockRfqId, 'done'],
      ['block/rfqs/create_quote', quote.blockRfqId, 'done'],
      ['block/rfqs/create_rfq', rfq.blockRfqId, 'done'],
    ]);
    expect(found.at(-1)).toMatchObject({ label: 'mine', account: '10001', keyId: 'taker' });
  });
});

/** The methods of an object, bound to it. */
const bound = (rfqs: RfqDesk): RfqDesk => ({
  create: (one) => rfqs.create(one),
  rfqs: (one) => rfqs.rfqs(one),
  cancelRfq: (one) => rfqs.cancelRfq(one),
  cancelTrigger: (one) => rfqs.cancelTrigger(one),
  accept: (one) => rfqs.accept(one),
  quote: (one) => rfqs.quote(one),
  editQuote: (one) => rfqs.editQuote(one),
  cancelQuote: (one) => rfqs.cancelQuote(one),
  cancelQuotes: (one) => rfqs.cancelQuotes(one),
  quotes: (one) => rfqs.quotes(one),
  makers: (one) => rfqs.makers(one),
  blockTrades: (one) => rfqs.blockTrades(one),
  tape: (one) => rfqs.tape(one),
  aliasOf: (one) => rfqs.aliasOf(one),
  listen: (one) => rfqs.listen(one),
});
