// A recorded option and the recorded future of its expiry on the exchange of a backtest: at the expiry the option is netted with the
// future, its margin ends, orders are cancelled and the account is notified. The amounts are of one coin, a strike of
// 90 000 and a price of 100 000.
import { expect, test } from 'vitest';
import type { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import { RecordedMarket } from '../../../src/exchange/market/recorded-market.ts';
import type { NewOrder, VenueNotice } from '../../../src/ports/trading-desk.ts';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import {
  type Currency,
  currency,
  type InstrumentName,
  instrumentName,
} from '../../../src/values/ids.ts';
import { later, MINUTE_MS, SECOND_MS, utcInstant } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import type { RecordedEvent } from '../../../src/values/recorded-event.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { ACCOUNT, anOrder, type PaperStage, paperStage } from '../../adapters/paper/paper-stage.ts';
import { value } from '../../conformance/venue-act.ts';
import { btcCall, btcPerpetual } from '../../exchange/instruments.ts';

/** The last Friday of a month. */
const EIGHT = utcInstant({ year: 2026, month: 11, day: 27, hour: 8 });
const BTC = currency('BTC');

const call: Instrument = {
  ...btcCall,
  name: instrumentName('BTC-27NOV26-90000-C'),
  expiresAt: EIGHT,
  option: { strike: price('90000'), type: 'call' },
};
const future: Instrument = {
  ...btcPerpetual,
  name: instrumentName('BTC-27NOV26'),
  kind: 'future',
  expiresAt: EIGHT,
};

/** A row each second: the option at 0.1000 by 0.1005, the future at 100 000 by 100 010. */
function rows(): RecordedEvent[] {
  const from = later(EIGHT, -2 * MINUTE_MS);
  const level = (at: string, amount: string) => [{ price: at, amount }];
  return Array.from({ length: 130 }, (_, second) => later(from, second * SECOND_MS)).flatMap(
    (at): RecordedEvent[] => {
      const stamp = { at, atUs: at * 1_000 };
      const known = { kind: 'ticker', index: '100000' } as const;
      const [option, dated] = [call.name, future.name];
      return [
        { ...stamp, ...known, symbol: option, mark: '0.1', underlying: '100000', markIv: 0.5 },
        { ...stamp, ...known, symbol: dated, mark: '100000' },
        {
          ...stamp,
          kind: 'book',
          symbol: option,
          bids: level('0.1', '50'),
          asks: level('0.1005', '50'),
        },
        {
          ...stamp,
          kind: 'book',
          symbol: dated,
          bids: level('100000', '900000'),
          asks: level('100010', '900000'),
        },
      ];
    },
  );
}

function stage(): PaperStage {
  const recorded = (instrument: Instrument) => ({
    instrument,
    recordedStep: instrument.amountStep,
    assumedLots: 100,
  });
  const market = new RecordedMarket({ instruments: [call, future].map(recorded), holeMs: 10_000 });
  market.feed(rows());
  const clock = new VirtualClock(later(EIGHT, -MINUTE_MS));
  const opened = paperStage({ market: () => market }, clock);
  for (const { name } of [call, future]) opened.venue.watch(name);
  return opened;
}

const order = (venue: PaperVenue, of: InstrumentName, terms: Partial<NewOrder>): NewOrder =>
  ({ ...anOrder(venue, { instrument: of }), ...terms }) as NewOrder;

async function filled(
  { venue, pass }: PaperStage,
  of: InstrumentName,
  terms: Partial<NewOrder>,
): Promise<void> {
  expect(value(await venue.place(order(venue, of, terms))).order.state).toBe('filled');
  await pass(SECOND_MS);
}

const summaryOf = async (venue: PaperVenue, of: Currency = BTC) =>
  value(await venue.summary(ACCOUNT, of));

async function entriesOf(venue: PaperVenue): Promise<readonly string[]> {
  const span = { from: later(EIGHT, -MINUTE_MS), until: later(EIGHT, MINUTE_MS), count: 20 };
  const { transactions } = value(
    await venue.transactions({ ...span, account: ACCOUNT, currency: BTC }),
  );
  return transactions
    .toReversed()
    .map(({ type, instrument, change, position }) =>
      [type, instrument, text(change), text(must(position, 'a position'))].join(' '),
    );
}

test('a long call in the money nets with a short future, which is left flat and pays no fee of its own', async () => {
  const run = stage();
  const { venue, pass } = run;
  await filled(run, call.name, { price: price('0.1005'), quantity: quantity('1') });
  const short = { side: 'sell', price: price('100000'), quantity: quantity('90000') } as const;
  await filled(run, future.name, short);
  const before = await summaryOf(venue);
  expect(Number(text(before.initialMargin))).toBeGreaterThan(0);
  await pass(MINUTE_MS);
  expect(value(await venue.positions({ account: ACCOUNT }))).toEqual([]);
  // The premium and its fee, the fee of the future: 0.05 % of 0.9 coins. Then the option's fee of 0.015 % of a coin, and what a
  // short of 90 000 USD from 100 000 earns when it is closed at 90 000: 1 − 0.9 coins.
  expect(await entriesOf(venue)).toEqual([
    `trade ${call.name} -0.1008 1`,
    `trade ${future.name} -0.00045 -90000`,
    `settlement into future ${call.name} -0.00015 0`,
    `settlement into future ${future.name} 0.1 0`,
  ]);
  const after = await summaryOf(venue);
  const total = 100 - 0.1008 - 0.00045 - 0.00015 + 0.1;
  expect(Number(text(after.balance))).toBeCloseTo(total, 10);
  expect([text(after.initialMargin), text(after.maintenanceMargin)]).toEqual(['0', '0']);
  await venue.close();
});

test('a short call in the money becomes a short future and is delivered; its margin ends, and the account is notified', async () => {
  const run = stage();
  const { venue, pass } = run;
  await venue.attach(ACCOUNT);
  await filled(run, call.name, {
    side: 'sell',
    price: price('0.1'),
    quantity: quantity('1'),
  });
  const resting = order(venue, future.name, { price: price('95000'), quantity: quantity('1000') });
  const { orderId } = value(await venue.place(resting)).order;
  const before = await summaryOf(venue);
  // 15 % of a coin and the mark price of 0.1, and the margin of the resting order.
  expect(Number(text(before.initialMargin))).toBeGreaterThan(0.25);
  const notices: VenueNotice[] = [];
  venue.subscribe((notice) => notices.push(notice));
  await pass(MINUTE_MS);
  expect(await entriesOf(venue)).toEqual([
    // The premium less the fee of 0.03 %.
    `trade ${call.name} 0.0997 -1`,
    `settlement into future ${call.name} -0.00015 0`,
    `settlement into future ${future.name} 0 -90000`,
    // A short of 90 000 USD at 90 000, delivered at 100 000: 0.9 − 1 coins, and no fee on what options brought.
    `delivery ${future.name} -0.1 0`,
  ]);
  const after = await summaryOf(venue);
  expect(Number(text(after.balance))).toBeCloseTo(100 + 0.0997 - 0.00015 - 0.1, 10);
  expect(text(after.initialMargin)).toBe('0');
  expect(value(await venue.positions({ account: ACCOUNT }))).toEqual([]);
  const ended = notices.flatMap((one) => (one.kind === 'order' ? [one.order] : []));
  expect(ended.at(-1)).toMatchObject({ orderId, state: 'cancelled' });
  expect(notices.map(({ kind }) => kind)).toContain('account');
  await venue.close();
});
