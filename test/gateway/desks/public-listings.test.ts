// Public methods concern no account: an instrument that two venues list is the first venue's in every list and answer. Before
// a venue has listed its instruments, lists are refused, because an empty one would say that there are none.

import { describe, expect, test } from 'vitest';
import type { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import { methodApi } from '../../../src/engine/api/method-api.ts';
import type { OrderOperations } from '../../../src/engine/order-entry/order-operations.ts';
import type { ApiKey } from '../../../src/gateway/auth/key-store.ts';
import { DERIBIT_METHODS } from '../../../src/gateway/deribit/deribit-method-table.ts';
import { Desks } from '../../../src/gateway/desks/desks.ts';
import { answerCall } from '../../../src/gateway/order-api/answer-call.ts';
import { ReadyJson } from '../../../src/gateway/wire/ready-json.ts';
import { venueName } from '../../../src/values/ids.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { ACCOUNT, NOON, paperVenue } from '../../adapters/paper/paper-stage.ts';
import { NO_DESKS } from '../../doubles/lone-api.ts';
import { btcCall, btcPerpetual, btcSpot } from '../../exchange/instruments.ts';
import { ungated } from '../../support/engine/venue-records.ts';
import { TAKER } from '../gateway-under-test.ts';
import { StillMarket } from '../order-api/still-market.ts';

const WORTH = { index: '100000', mark: '100100', min: '90000', max: '110000' };

function stage(make: (clock: VirtualClock) => readonly PaperVenue[]) {
  const clock = new VirtualClock(NOON);
  const venues = make(clock);
  const orders: OrderOperations = {
    ...NO_DESKS,
    accounts: () => venues.slice(0, 1).map(({ name }) => [ACCOUNT, name] as const),
    venues: () => venues,
    forAccount: () => venues[0] && ungated(venues[0]),
    rfqsFor: () => venues[0]?.rfqs,
  };
  const desks = new Desks(methodApi({ orders, clock, notReady: () => [] }));
  const call = { orders: desks, now: () => clock.now(), version: 'test' };
  const own = (method: string, params: object, key?: ApiKey) =>
    answerCall(
      { ...call, key },
      { rid: '1', method, params },
      {
        take: () => undefined,
        report: (error: unknown) => {
          throw error;
        },
      },
    );
  const deribit = async (name: string, params: object) => {
    const method = DERIBIT_METHODS.get(name);
    const read = method?.read(params);
    if (method === undefined || read === undefined || 'refusal' in read) throw new Error(name);
    const of = { ...call, logins: {}, from: 'test' } as unknown as Parameters<typeof method.run>[0];
    return await method.run(of, read.value);
  };
  return { own, deribit };
}

const paper = (
  clock: VirtualClock,
  name: string,
  instruments: (typeof btcPerpetual)[],
): PaperVenue =>
  paperVenue(clock, {
    name: venueName(name),
    market: () =>
      new StillMarket(instruments, Object.fromEntries(instruments.map((one) => [one.name, WORTH]))),
  });

// biome-ignore lint/suspicious/noExplicitAny: lists have the fields of their wire
const rowsOf = (answer: any): any[] => {
  const { value } = answer;
  return value instanceof ReadyJson ? JSON.parse(value.bytes.toString()) : value;
};

describe('two venues that list the same instruments', () => {
  const both = stage((clock) => [
    paper(clock, 'first', [btcPerpetual, btcSpot]),
    paper(clock, 'second', [btcPerpetual, btcSpot, btcCall]),
  ]);
  const names = [btcPerpetual.name, btcSpot.name, btcCall.name].sort();

  test('public/get_instruments lists each name once, on both wires', async () => {
    const own = rowsOf(await both.own('public/get_instruments', { currency: 'any' }));
    expect(own.map((one) => one.instrumentName).sort()).toEqual(names);
    const theirs = rowsOf(await both.deribit('public/get_instruments', {}));
    expect(theirs.map((one) => one.instrument_name).sort()).toEqual(names);
  });

  test('book summaries have each name once', async () => {
    const of = { currency: 'BTC' };
    const rows = rowsOf(await both.deribit('public/get_book_summary_by_currency', of));
    expect(rows.map((one) => one.instrument_name).sort()).toEqual(
      [btcCall.name, btcPerpetual.name].sort(),
    );
  });
});

describe('a venue that has not listed its instruments yet', () => {
  const empty = stage((clock) => [paper(clock, 'paper', [])]);
  const AWAITED = {
    kind: 'refused',
    code: 10_040,
    details: {
      reason:
        'the venue has not listed its instruments yet; accepted: the same request in a moment',
    },
  };

  test.each([
    ['public/get_instruments', { currency: 'any' }],
    ['block/rfqs/get_instruments', { currency: 'any' }],
  ])('%s is refused for a moment', async (method, params) => {
    expect(await empty.own(method, params, TAKER)).toMatchObject(AWAITED);
  });

  test.each([
    ['public/get_instruments', {}],
    ['public/get_currencies', {}],
    ['public/get_expirations', { currency: 'BTC', kind: 'any' }],
    ['public/get_index_price_names', {}],
    ['public/get_supported_index_names', {}],
    ['public/get_book_summary_by_currency', { currency: 'BTC' }],
  ])("%s of Deribit's wire is refused for a moment", async (method, params) => {
    expect(await empty.deribit(method, params)).toMatchObject({
      kind: 'refused',
      class: 'later',
      details: AWAITED.details,
    });
  });
});
