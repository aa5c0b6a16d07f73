// Contract of every RfqDesk, tested through the port alone.
import { afterEach, describe, expect, it } from 'vitest';
import { larger, price, quantity, text } from '../../src/values/amounts.ts';
import { must } from '../../src/values/assert.ts';
import { accountId, instrumentName } from '../../src/values/ids.ts';
import { BLOCK, expectRefused, RfqAct, type RfqStage, sizes, value } from './rfq-act.ts';

type Begin = () => Promise<RfqAct>;

const NOT_FOUND = 13020;
const FORBIDDEN = 13021;
const NOT_FULLY_FILLED = 13907;
const ALREADY_CLOSED = 10010;
const LIFE_MS = 300_000;

export function blockRfqConformance(open: () => Promise<RfqStage>): void {
  const acts: RfqAct[] = [];
  const begin = async (): Promise<RfqAct> => {
    const act = new RfqAct(await open());
    acts.push(act);
    await act.stage.pass(0);
    return act;
  };
  afterEach(async () => {
    for (const { stage } of acts.splice(0)) await stage.close();
  });

  describe('creating RFQs', () => asking(begin));
  describe('quoting', () => quoting(begin));
  describe('accepting quotes', () => accepting(begin));
  describe('ending RFQs', () => ending(begin));
  describe('notices', () => telling(begin));
}

function asking(begin: Begin): void {
  it('create returns the RFQ with the requested terms', async () => {
    const act = await begin();
    const { makers } = act.stage;
    const rfq = await act.created({ label: 'mine' });
    expect(rfq).toMatchObject({
      role: 'taker',
      status: 'created',
      currency: 'BTC',
      label: 'mine',
      disclosed: true,
      makers: makers.map(({ alias }) => alias),
      bids: [],
      asks: [],
      fills: [],
      triggers: [],
    });
    expect(rfq.closedReason).toBeUndefined();
    expect(rfq.expiresAt - rfq.createdAt).toBe(LIFE_MS);
    const [leg] = rfq.legs;
    expect(leg).toMatchObject({ instrument: act.stage.perpetual, side: 'buy' });
    expect(text(rfq.quantity.mul(must(leg, 'a leg').ratio) as never)).toBe(BLOCK);
    expect(await act.seen(rfq.id)).toEqual(rfq);
  });

  it('the sizes of several legs are reduced to one quantity and ratios', async () => {
    const act = await begin();
    const [low, high] = await act.calls();
    const rfq = await act.created({
      legs: [
        { instrument: low.name, quantity: quantity('50'), side: 'buy' },
        { instrument: high.name, quantity: quantity('100'), side: 'sell' },
      ],
    });
    const made = rfq.legs.map(({ ratio, side, instrument }) => {
      return [instrument, side, text(rfq.quantity.mul(ratio) as never)];
    });
    expect(made).toEqual([
      [low.name, 'buy', '50'],
      [high.name, 'sell', '100'],
    ]);
  });

  it("each targeted maker sees the RFQ under an id of its own, without the taker's private data", async () => {
    const act = await begin();
    const { makers, rfqs } = { ...act.stage, rfqs: act.rfqs };
    const own = await act.created({ makers: [makers[0].alias], label: 'mine' });
    const asked = await act.asked();
    expect(asked).toMatchObject({ role: 'maker', status: 'open', makers: [], bids: [], asks: [] });
    expect(asked.label).toBeUndefined();
    expect(asked.id).not.toBe(own.id);
    const other = value(await rfqs.rfqs({ account: makers[1].account, count: 10 }));
    expect(other.rfqs).toEqual([]);
  });

  it("makers see the taker's name only if the RFQ is disclosed", async () => {
    const act = await begin();
    await act.created({ disclosed: false, makers: [] });
    expect((await act.asked()).taker).toBeUndefined();
    await act.created();
    expect((await act.asked()).taker).toBeDefined();
  });

  it('the id of another account is not found', async () => {
    const act = await begin();
    const own = await act.created();
    const { account } = act.stage.makers[0];
    const found = value(await act.rfqs.rfqs({ account, id: own.id, count: 1 }));
    expect(found.rfqs).toEqual([]);
    expectRefused(await act.rfqs.cancelRfq({ account, rfqId: own.id }), NOT_FOUND, 'blockRfqId');
    const asked = await act.asked();
    expectRefused(await act.rfqs.cancelRfq({ account, rfqId: asked.id }), FORBIDDEN);
  });

  it('an invalid RFQ is refused with the reason', async () => {
    const act = await begin();
    const leg = {
      instrument: act.stage.perpetual,
      quantity: quantity(BLOCK),
      side: 'buy',
    } as const;
    const unknown = { ...leg, instrument: instrumentName('NO-SUCH') };
    expectRefused(await act.rfqs.create(act.newRfq({ legs: [unknown] })), 10020);
    const small = { ...leg, quantity: quantity('10') };
    expectRefused(await act.rfqs.create(act.newRfq({ legs: [small] })), 10002);
    const nobody = act.newRfq({ makers: ['NOBODY'] });
    expect(await act.rfqs.create(nobody)).toMatchObject({ kind: 'refused' });
    const few = act.newRfq({ disclosed: false });
    expect(await act.rfqs.create(few)).toMatchObject({ kind: 'refused' });
  });

  it("an account's RFQs are listed newest first, page by page", async () => {
    const act = await begin();
    const { taker } = act.stage;
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.unshift((await act.created()).id);
    const first = value(await act.rfqs.rfqs({ account: taker, count: 2 }));
    expect(first.rfqs.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const { continuation } = first;
    const rest = value(await act.rfqs.rfqs({ account: taker, count: 2, continuation }));
    expect(rest.rfqs.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(rest.continuation).toBeUndefined();
  });

  it('RFQs are filtered by role, state, currency and label', async () => {
    const act = await begin();
    const { taker: account } = act.stage;
    const { id } = await act.opened({ label: 'this' });
    const found = async (filter: object): Promise<number> =>
      value(await act.rfqs.rfqs({ account, id, count: 5, ...filter })).rfqs.length;
    expect(await found({ role: 'taker', status: 'open', currency: 'BTC', label: 'this' })).toBe(1);
    for (const other of [{ role: 'maker' }, { status: 'closed' }, { currency: 'ETH' }]) {
      expect(await found(other)).toBe(0);
    }
    expect(await found({ label: 'that' })).toBe(0);
  });

  it("makers lists the aliases, and aliasOf returns an account's own", async () => {
    const act = await begin();
    const { taker, makers } = act.stage;
    const aliases = value(await act.rfqs.makers(taker));
    for (const { account, alias } of makers) {
      expect(aliases).toContain(alias);
      expect(act.rfqs.aliasOf(account)).toBe(alias);
    }
    expect(act.rfqs.aliasOf(taker)).toBeUndefined();
    expect(act.rfqs.aliasOf(accountId('999'))).toBeUndefined();
  });
}

function quoting(begin: Begin): void {
  it('a new quote is found by its maker and by no other account', async () => {
    const act = await begin();
    await act.created();
    const { account } = act.stage.makers[0];
    const asked = await act.asked();
    const quote = await act.quoted('sell', { label: 'first', mmpGroup: 'desk' });
    expect(quote).toMatchObject({
      rfqId: asked.id,
      label: 'first',
      side: 'sell',
      currency: 'BTC',
      status: 'open',
      replaced: false,
      executionInstruction: 'any_part_of',
      mmpGroup: 'desk',
    });
    expect(text(quote.quantity)).toBe(text(asked.quantity));
    expect(text(quote.filledQuantity)).toBe('0');
    for (const by of [{}, { quoteId: quote.id }, { rfqId: asked.id, label: 'first' }]) {
      expect(value(await act.rfqs.quotes({ account, ...by }))).toEqual([quote]);
    }
    const others = { account: act.stage.makers[1].account, quoteId: quote.id };
    expect(value(await act.rfqs.quotes(others))).toEqual([]);
    const byOther = { account: others.account, of: { quoteId: quote.id } };
    expectRefused(await act.rfqs.cancelQuote(byOther), NOT_FOUND);
  });

  it('the price of a quote is computed from its legs', async () => {
    const act = await begin();
    const [low, high] = await act.calls();
    await act.created({
      legs: [
        { instrument: low.name, quantity: quantity('25'), side: 'buy' },
        { instrument: high.name, quantity: quantity('50'), side: 'sell' },
      ],
    });
    const quote = await act.quoted('sell');
    const [first, second] = quote.legs;
    const sum = must(first, 'a leg').price.minus(must(second, 'two legs').price.mul(2));
    expect(text(quote.price)).toBe(text(sum as never));
  });

  it('a quote is edited by its id, or by RFQ and label', async () => {
    const act = await begin();
    await act.created();
    const quote = await act.quoted('sell', { label: 'mine' });
    const terms = await act.newQuote('sell', { label: 'mine' });
    const { rfqId: _, label: __, side: ___, ...change } = terms;
    const legs = await act.priced(await act.asked(), 3);
    const one = { ...change, legs, of: { quoteId: quote.id } };
    const edited = value(await act.rfqs.editQuote(one));
    expect(edited).toMatchObject({ id: quote.id, replaced: true, status: 'open', side: 'sell' });
    expect(text(edited.price)).toBe(text(must(legs[0], 'a leg').price));
    const of = { rfqId: quote.rfqId, label: 'mine' };
    expect(value(await act.rfqs.editQuote({ ...change, of })).id).toBe(quote.id);
  });

  it('quotes are cancelled one by one or all at once', async () => {
    const act = await begin();
    await act.created();
    const { account } = act.stage.makers[0];
    const byId = await act.quoted('sell', { label: 'a' });
    const byLabel = await act.quoted('buy', { label: 'b' });
    await act.quoted('sell', { label: 'c', mmpGroup: 'one' });
    await act.quoted('sell', { label: 'd', mmpGroup: 'two' });
    const cancelled = value(await act.rfqs.cancelQuote({ account, of: { quoteId: byId.id } }));
    expect(cancelled).toMatchObject({ status: 'cancelled', statusReason: 'user_request' });
    const of = { rfqId: byLabel.rfqId, label: 'b' };
    expect(value(await act.rfqs.cancelQuote({ account, of })).id).toBe(byLabel.id);
    expect(value(await act.rfqs.cancelQuotes({ account, mmpGroup: 'one' }))).toBe(1);
    expect(value(await act.rfqs.cancelQuotes({ account, rfqId: byId.rfqId }))).toBe(1);
    expect(value(await act.rfqs.cancelQuotes({ account }))).toBe(0);
    expect(value(await act.rfqs.quotes({ account }))).toEqual([]);
  });

  it('quotes of untargeted makers, of the taker, and on deviating terms are refused', async () => {
    const act = await begin();
    const { taker, makers } = act.stage;
    const own = await act.created({ makers: [makers[0].alias] });
    const good = await act.newQuote('sell');
    const outsider = { ...good, account: makers[1].account };
    expectRefused(await act.rfqs.quote(outsider), NOT_FOUND, 'blockRfqId');
    expectRefused(await act.rfqs.quote({ ...good, account: taker, rfqId: own.id }), FORBIDDEN);
    const turned = good.legs.map((leg) => ({ ...leg, side: 'sell' as const }));
    expect(await act.rfqs.quote({ ...good, legs: turned })).toMatchObject({ kind: 'refused' });
    const part = { ...good, executionInstruction: 'all_or_none', quantity: quantity('100000') };
    expect(await act.rfqs.quote(part as typeof good)).toMatchObject({ kind: 'refused' });
  });

  it('the taker sees the tradable levels after the grace period', async () => {
    const act = await begin();
    const { id } = await act.created();
    const offer = await act.quoted('sell');
    await act.quoted('buy', {}, 1);
    expect(await act.seen(id)).toMatchObject({ status: 'created', bids: [], asks: [] });
    await act.stage.pass(5_000);
    const rfq = await act.seen(id);
    expect(rfq.status).toBe('open');
    expect(rfq.bids).toHaveLength(1);
    const [level] = rfq.asks;
    expect(level && text(level.price)).toBe(text(offer.price));
    expect(level && text(level.quantity)).toBe(text(rfq.quantity));
  });
}

function accepting(begin: Begin): void {
  it('an accept trades the whole quantity and is reported to both sides with their own ids', async () => {
    const act = await begin();
    const { taker, makers } = act.stage;
    const rfq = await act.opened();
    const quote = await act.quoted('sell');
    const { blockTrades, trigger, rfq: after } = await act.accepted(rfq, quote);
    expect(trigger).toBeUndefined();
    expect(after).toMatchObject({ status: 'filled', asks: [], bids: [] });
    const [trade] = blockTrades;
    expect(blockTrades).toHaveLength(1);
    expect(trade).toMatchObject({ rfqId: rfq.id, side: 'buy', currency: 'BTC' });
    expect(text(must(trade, 'a trade').price)).toBe(text(quote.price));
    const [row] = must(trade, 'a trade').rows;
    expect(row).toMatchObject({ side: 'buy', liquidity: 'taker', isHedge: false });
    expect(row && text(row.quantity)).toBe(BLOCK);
    const mine = value(await act.rfqs.blockTrades({ account: taker, rfqId: rfq.id, count: 10 }));
    expect(mine.trades).toEqual(blockTrades);
    const { account } = makers[0];
    const theirs = value(await act.rfqs.blockTrades({ account, rfqId: quote.rfqId, count: 10 }));
    expect(theirs.trades).toMatchObject([{ id: trade?.id, rfqId: quote.rfqId, side: 'sell' }]);
    const [filled] = value(await act.rfqs.quotes({ account, quoteId: quote.id }));
    expect(filled).toMatchObject({ status: 'filled' });
    expect((await act.seen(quote.rfqId, account)).status).toBe('filled');
    const other = await act.asked(1);
    expect(other.status).toBe('traded');
  });

  it('a trade changes the positions of both sides', async () => {
    const act = await begin();
    const { taker, makers, venue, perpetual: instrument } = act.stage;
    const rfq = await act.opened();
    await act.accepted(rfq, await act.quoted('sell'));
    for (const [account, size] of [
      [taker, BLOCK],
      [makers[0].account, `-${BLOCK}`],
    ] as const) {
      const [position] = value(await venue.positions({ account, instrument }));
      expect(position && text(position.quantity)).toBe(size);
    }
  });

  it('an accept that quotes cannot cover does nothing, and a second accept does nothing', async () => {
    const act = await begin();
    const { perpetual: instrument } = act.stage;
    const [whole, half] = [quantity('400000'), quantity('200000')];
    const rfq = await act.opened({ legs: [{ instrument, quantity: whole, side: 'buy' }] });
    const first = await act.quoted('sell', { quantity: half });
    expectRefused(await act.rfqs.accept(act.acceptOf(rfq, first)), NOT_FULLY_FILLED);
    expect((await act.seen(rfq.id)).status).toBe('open');
    const second = await act.quoted('sell', { quantity: half }, 1);
    const accept = act.acceptOf(rfq, first, { price: larger(first.price, second.price) });
    const { blockTrades } = value(await act.rfqs.accept(accept));
    expect(blockTrades).toHaveLength(2);
    expect(text(sizes(blockTrades.map(({ quantity: size }) => size)))).toBe('400000');
    expect(new Set(blockTrades.map((trade) => text(trade.price))).size).toBe(1);
    expectRefused(await act.rfqs.accept(accept), ALREADY_CLOSED);
  });

  it('a good_til_cancelled accept waits as a trigger until quotes cover it or it is cancelled', async () => {
    const act = await begin();
    const { taker: account } = act.stage;
    const rfq = await act.opened();
    const good = await act.newQuote('sell');
    const price = must(good.legs[0], 'a leg').price;
    const waits = {
      account,
      rfqId: rfq.id,
      quantity: rfq.quantity,
      side: 'buy',
      price,
      timeInForce: 'good_til_cancelled',
    } as const;
    const first = value(await act.rfqs.accept(waits));
    expect(first).toMatchObject({
      blockTrades: [],
      trigger: { state: 'untriggered', side: 'buy' },
    });
    const taken = value(await act.rfqs.cancelTrigger({ account, rfqId: rfq.id }));
    expect(taken.triggers).toMatchObject([{ state: 'cancelled' }]);
    expect((await act.asked()).triggers).toEqual([]);
    value(await act.rfqs.accept(waits));
    value(await act.rfqs.quote(good));
    expect((await act.seen(rfq.id)).status).toBe('filled');
  });

  it('the hedge is traded with the structure, and allocations are distributed', async () => {
    const act = await begin();
    const [low] = await act.calls();
    const { perpetual } = act.stage;
    const at = String(Math.round((await act.mark(perpetual)).toNumber()));
    const hedge = {
      instrument: perpetual,
      quantity: quantity('50000'),
      side: 'sell',
      price: price(at),
    } as const;
    const rfq = await act.opened({
      legs: [{ instrument: low.name, quantity: quantity('25'), side: 'buy' }],
      hedge,
      allocations: [
        { quantity: quantity('10'), userId: 7 },
        { quantity: quantity('15'), client: { clientId: 8, clientLinkId: 9 } },
      ],
    });
    expect(rfq.hedge).toMatchObject({ instrument: perpetual, side: 'sell' });
    expect(rfq.allocations.map(({ quantity: size }) => text(size))).toEqual(['10', '15']);
    const { blockTrades } = await act.accepted(rfq, await act.quoted('sell'));
    const rows = must(blockTrades[0], 'a trade').rows;
    const hedged = must(
      rows.find(({ isHedge }) => isHedge),
      'a hedge',
    );
    expect([hedged.instrument, hedged.side, text(hedged.quantity)]).toEqual([
      perpetual,
      'sell',
      '50000',
    ]);
    for (const row of rows) {
      const shared = sizes(row.allocations.map(({ quantity: size }) => size));
      expect(text(shared)).toBe(text(row.quantity));
    }
  });
}

function ending(begin: Begin): void {
  it('quotes end with the RFQ when the taker cancels it', async () => {
    const act = await begin();
    const { taker: account, makers } = act.stage;
    const rfq = await act.opened();
    const quote = await act.quoted('sell');
    const over = value(await act.rfqs.cancelRfq({ account, rfqId: rfq.id }));
    expect(over).toMatchObject({ status: 'cancelled', asks: [] });
    expect(over.closedReason).toBeDefined();
    const its = { account: makers[0].account, quoteId: quote.id };
    const [ended] = value(await act.rfqs.quotes(its));
    expect(ended).toMatchObject({ status: 'cancelled', statusReason: 'rfq_cancelled' });
    expectRefused(await act.rfqs.cancelRfq({ account, rfqId: rfq.id }), ALREADY_CLOSED);
    expect(await act.rfqs.accept(act.acceptOf(rfq, quote))).toMatchObject({ kind: 'refused' });
  });

  it('quotes and RFQs expire at their time', async () => {
    const act = await begin();
    const rfq = await act.opened();
    const { account } = act.stage.makers[0];
    const brief = await act.quoted('sell', { expiresAt: (rfq.createdAt + 60_000) as never });
    const long = await act.quoted('buy');
    await act.stage.pass(60_000);
    const [first] = value(await act.rfqs.quotes({ account, quoteId: brief.id }));
    expect(first).toMatchObject({ status: 'expired' });
    await act.stage.pass(LIFE_MS - 60_000);
    expect((await act.seen(rfq.id)).status).toBe('expired');
    const [second] = value(await act.rfqs.quotes({ account, quoteId: long.id }));
    expect(second?.status).not.toBe('open');
  });
}

function telling(begin: Begin): void {
  it('makers are notified of an RFQ, both sides of its end, each by its own id only', async () => {
    const act = await begin();
    const { taker, makers } = act.stage;
    const rfq = await act.created();
    const asked = await act.heard(
      (news) =>
        news.kind === 'rfq' && news.account === makers[0].account && news.rfq.status === 'open',
    );
    expect(asked).toMatchObject({ rfq: { role: 'maker', makers: [], asks: [] } });
    await act.heard((news) => news.kind === 'rfq' && news.account === taker);
    value(await act.rfqs.cancelRfq({ account: taker, rfqId: rfq.id }));
    for (const { account } of [{ account: taker }, ...makers]) {
      await act.heard(
        (news) =>
          news.kind === 'rfq' && news.account === account && news.rfq.status === 'cancelled',
      );
    }
    const ids = (account: string): Set<string> =>
      new Set(
        act.news.flatMap((news) =>
          news.kind === 'rfq' && news.account === account ? [news.rfq.id] : [],
        ),
      );
    expect(ids(taker)).toEqual(new Set([rfq.id]));
    expect(ids(makers[0].account)).toEqual(new Set([(await act.asked()).id]));
  });

  it('the maker is notified of its quotes, and the taker of the resulting levels', async () => {
    const act = await begin();
    const { taker, makers } = act.stage;
    const rfq = await act.opened();
    const quote = await act.quoted('sell');
    const told = await act.heard(
      (news) => news.kind === 'quotes' && news.quotes.some(({ id }) => id === quote.id),
    );
    expect(told).toMatchObject({ account: makers[0].account });
    const seen = await act.heard((news) => news.kind === 'rfq' && news.rfq.asks.length === 1);
    expect(seen).toMatchObject({ account: taker, rfq: { id: rfq.id } });
    const leaked = act.news.some(
      (news) => news.kind === 'quotes' && news.account !== makers[0].account,
    );
    expect(leaked).toBe(false);
  });

  it('the public tape shows a trade without names', async () => {
    const act = await begin();
    const rfq = await act.opened();
    await act.accepted(rfq, await act.quoted('sell'));
    const told = await act.heard((news) => news.kind === 'tape');
    expect(told).toMatchObject({ currency: 'BTC', trade: { side: 'buy', rfqId: '' } });
    const text = JSON.stringify(told);
    for (const { alias, account } of act.stage.makers) {
      expect(text).not.toContain(alias);
      expect(text).not.toContain(`"${account}"`);
    }
    if (told.kind !== 'tape') return;
    const { currency } = told;
    const latest = value(await act.rfqs.tape({ currency, count: 1 }));
    expect(latest.map(({ id, rfqId }) => [id, rfqId])).toEqual([[told.trade.id, '']]);
    expect(value(await act.rfqs.tape({ count: 0 }))).toEqual([]);
    const other = value(await act.rfqs.tape({ currency: 'EURR' as typeof currency, count: 5 }));
    expect(other).toEqual([]);
  });
}
