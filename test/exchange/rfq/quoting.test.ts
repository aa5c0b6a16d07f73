import { describe, expect, it } from 'vitest';
import { price, text } from '../../../src/values/amounts.ts';
import { instant, later, MINUTE_MS, SECOND_MS } from '../../../src/values/instant.ts';
import { btcPerpetual } from '../instruments.ts';
import {
  asked,
  btcFuture,
  callSpread,
  MAKER1,
  MAKER2,
  oneCall,
  type Quote,
  quoted,
  RfqDesk,
  refused,
  TAKER,
  traded,
} from './rfq-desk.ts';

const withRfq = () => {
  const desk = RfqDesk.marked();
  asked(desk.createRfq(callSpread()));
  return desk;
};
const spread = { legs: ['0.051', '0.02'] };

describe('quoting an RFQ', () => {
  it.each<[string, Quote, number, string]>([
    [
      'an all-or-none quote for a part',
      { ...spread, quantity: '40', executionInstruction: 'all_or_none' },
      10021,
      'quantity',
    ],
    ['more than the requested quantity', { ...spread, quantity: '50.1' }, 10021, 'quantity'],
    ['less than a block', { ...spread, quantity: '12.4' }, 10002, 'quantity'],
    ['a price between ticks', { legs: ['0.05101', '0.02'] }, 10043, 'legs'],
    ['a leg below its band', { legs: ['0.051', '0.0009'] }, 10005, 'legs'],
    ['a leg above its band', { legs: ['0.0801', '0.02'] }, 10007, 'legs'],
    ['a price that is not the sum', { ...spread, price: '0.0311' }, 10023, 'price'],
    ['an expiry in the past', { ...spread, expiresAt: instant(1) }, -32602, 'expiresAt'],
    [
      'a hedge that was not requested',
      {
        ...spread,
        hedge: {
          instrument: btcPerpetual.name,
          quantity: price('10') as never,
          side: 'buy',
          price: price('100000'),
        },
      },
      11047,
      'hedge',
    ],
  ])('a quote is refused for %s', (_, terms, code, param) => {
    expect(refused(withRfq().quote(MAKER1, 'sell', terms))).toMatchObject({
      code,
      data: { param },
    });
  });

  it('legs other than those of the RFQ are refused', () => {
    const desk = withRfq();
    const [first, second] = desk.seen(MAKER1).legs;
    if (first === undefined || second === undefined) throw new Error('two legs');
    const turned = [
      { ...first, side: 'sell' as const, price: price('0.05') },
      { ...second, price: price('0.02') },
    ];
    const { now } = desk;
    const { quantity } = desk.seen(MAKER1);
    const quote = {
      kind: 'quote_rfq',
      now,
      account: MAKER1,
      rfqId: desk.idOf(MAKER1),
      label: '',
    } as const;
    const terms = { side: 'sell', quantity, executionInstruction: 'any_part_of' } as const;
    for (const legs of [turned, turned.slice(1), []]) {
      expect(refused(desk.do({ ...quote, ...terms, legs }))).toMatchObject({
        code: -32602,
        data: { param: 'legs' },
      });
    }
  });

  it('a maker may not cross its own quotes, and the number of quotes is limited', () => {
    const desk = withRfq();
    quoted(desk.quote(MAKER1, 'sell', spread));
    expect(refused(desk.quote(MAKER1, 'buy', spread))).toMatchObject({ code: 13910 });
    quoted(desk.quote(MAKER2, 'buy', spread));
    for (const leg of ['0.052', '0.053', '0.054']) {
      quoted(desk.quote(MAKER1, 'sell', { legs: [leg, '0.02'] }));
    }
    const fifth = { legs: ['0.055', '0.02'] };
    expect(refused(desk.quote(MAKER1, 'sell', fifth))).toMatchObject({ code: 13906 });
    for (const leg of ['0.047', '0.048', '0.049', '0.050']) {
      quoted(desk.quote(MAKER1, 'buy', { legs: [leg, '0.02'] }));
    }
    expect(refused(desk.quote(MAKER1, 'buy', { legs: ['0.046', '0.02'] }))).toMatchObject({
      code: 13905,
    });
  });

  it('a quote is cancelled by id, or by RFQ and label if exactly one has the label', () => {
    const desk = withRfq();
    const { id } = quoted(desk.quote(MAKER1, 'sell', { ...spread, label: 'a' }));
    quoted(desk.quote(MAKER1, 'sell', { legs: ['0.052', '0.02'], label: 'b' }));
    quoted(desk.quote(MAKER1, 'sell', { legs: ['0.053', '0.02'], label: 'b' }));
    const rfqId = desk.idOf(MAKER1);
    expect(refused(desk.cancelQuote(MAKER2, { quoteId: id }))).toMatchObject({ code: 13020 });
    expect(refused(desk.cancelQuote(MAKER1, { rfqId, label: 'b' }))).toMatchObject({ code: 13032 });
    expect(refused(desk.cancelQuote(MAKER1, { rfqId, label: 'c' }))).toMatchObject({ code: 13020 });
    expect(quoted(desk.cancelQuote(MAKER1, { rfqId, label: 'a' }))).toMatchObject({
      id,
      status: 'cancelled',
      statusReason: 'user_request',
    });
    expect(refused(desk.cancelQuote(MAKER1, { quoteId: id }))).toMatchObject({ code: 10010 });
  });

  it('quotes are cancelled by MMP group, with that reason', () => {
    const desk = withRfq();
    const [inGroup, other] = ['g', 'h'].map((mmpGroup, at) =>
      quoted(desk.quote(MAKER1, 'sell', { legs: [`0.05${at}`, '0.02'], mmpGroup })),
    );
    const { now } = desk;
    const all = { kind: 'cancel_rfq_quotes', now, account: MAKER1 } as const;
    const trip = { ...all, mmpGroup: 'g', reason: 'mmp_trigger' } as const;
    expect(desk.do(trip)).toEqual({ kind: 'count', count: 1 });
    const of = (quoteId = '') => desk.exchange.rfqs.quotes({ account: MAKER1, quoteId })[0];
    expect(of(inGroup?.id)).toMatchObject({ status: 'cancelled', statusReason: 'mmp_trigger' });
    expect(of(other?.id)).toMatchObject({ status: 'open' });
    const named = { ...all, rfqId: desk.idOf(MAKER1) };
    expect(desk.do(named)).toEqual({ kind: 'count', count: 1 });
    desk.pass(5 * MINUTE_MS);
    expect(desk.do({ ...named, now: desk.now })).toEqual({ kind: 'count', count: 0 });
    const foreign = { ...named, now: desk.now, rfqId: desk.idOf(TAKER) };
    expect(refused(desk.do(foreign))).toMatchObject({ code: 13020 });
  });

  it('an edited quote loses its time priority and keeps its id', () => {
    const desk = RfqDesk.marked();
    asked(desk.createRfq(oneCall()));
    const first = quoted(desk.quote(MAKER1, 'sell', { legs: ['0.05'] }));
    quoted(desk.quote(MAKER2, 'sell', { legs: ['0.05'] }));
    const { legs, quantity } = first;
    const { now } = desk;
    const edit = {
      kind: 'edit_rfq_quote',
      now,
      account: MAKER1,
      of: { quoteId: first.id },
    } as const;
    const same = { quantity, legs, executionInstruction: 'any_part_of' } as const;
    expect(quoted(desk.do({ ...edit, ...same }))).toMatchObject({ id: first.id, replaced: true });
    desk.open();
    const { blockTrades } = traded(desk.accept('buy', '0.05'));
    expect(blockTrades.map(({ maker }) => maker)).toEqual(['MAKER2']);
  });

  it('a quote ends at its own expiry, and with the RFQ at exactly five minutes', () => {
    const desk = RfqDesk.marked();
    const { createdAt } = asked(desk.createRfq(oneCall()));
    const expiresAt = later(createdAt, 20 * SECOND_MS);
    const short = quoted(desk.quote(MAKER1, 'sell', { legs: ['0.05'], expiresAt }));
    const long = quoted(desk.quote(MAKER2, 'sell', { legs: ['0.051'] }));
    desk.open();
    expect(desk.seen(TAKER).asks[0]).toMatchObject({ expiresAt });
    desk.pass(15 * SECOND_MS);
    expect(desk.seen(TAKER).asks.map(({ price: at }) => text(at))).toEqual(['0.051']);
    desk.pass(5 * MINUTE_MS - 20 * SECOND_MS - 1);
    expect(desk.seen(TAKER).status).toBe('open');
    desk.pass(MINUTE_MS);
    const ended = desk.seen(TAKER);
    expect(ended).toMatchObject({ status: 'expired', closedReason: 'expired', asks: [] });
    expect(ended.lastUpdatedAt).toBe(createdAt + 5 * MINUTE_MS);
    const end = (account: typeof MAKER1, quoteId: string) =>
      desk.exchange.rfqs.quotes({ account, quoteId })[0];
    expect(end(MAKER1, short.id)).toMatchObject({ status: 'expired', lastUpdatedAt: expiresAt });
    expect(end(MAKER2, long.id)).toMatchObject({
      status: 'cancelled',
      statusReason: 'rfq_expired',
    });
  });

  it('a future spread is quoted as a whole, and its leg prices follow', () => {
    const desk = RfqDesk.marked();
    const legs = [
      { of: btcFuture, size: '300000' },
      { of: btcPerpetual, size: '300000', side: 'sell' as const },
    ];
    asked(desk.createRfq({ legs }));
    const quote = quoted(
      desk.quote(MAKER1, 'sell', { legs: ['101000', '100000'], price: '1012.34' }),
    );
    expect(text(quote.price)).toBe('1012.34');
    const [far, near] = quote.legs.map((leg) => Number(text(leg.price)));
    expect((far ?? 0) - (near ?? 0)).toBeCloseTo(1012.34, 6);
  });
});
