// A market that happens elsewhere: its listing, its rows and its deliveries, as the paper exchange uses them.
import { describe, expect, test } from 'vitest';
import { LiveFedMarket } from '../../../src/exchange/market/live-fed-market.ts';
import { text } from '../../../src/values/amounts.ts';
import { type InstrumentName, instrumentName } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import type { RecordedEvent } from '../../../src/values/recorded-event.ts';
import { NOON, option, perpetual } from '../../support/engine/markets.ts';

const OPTION = option();
const COMBO = { ...perpetual(), name: instrumentName('BTC-FS-1'), kind: 'future_combo' } as const;

function stage(first: readonly Instrument[] = [perpetual(), OPTION, COMBO]) {
  let listed = first;
  const calls: string[] = [];
  const note =
    (what: string) =>
    (name: InstrumentName): void => {
      calls.push(`${what} ${name}`);
    };
  const market = new LiveFedMarket({
    listed: () => listed,
    holeMs: 1_000,
    onStart: note('start'),
    onStop: note('stop'),
  });
  const list = (next: readonly Instrument[]): void => {
    listed = next;
  };
  return { market, list, calls };
}

const { name } = perpetual();
const rowsAt = (atMs: number): readonly RecordedEvent[] => {
  const at = later(NOON, atMs);
  const of = { symbol: name as string, at, atUs: at * 1_000 };
  return [
    { ...of, kind: 'ticker', mark: '90000', index: '90010' },
    {
      ...of,
      kind: 'book',
      bids: [{ price: '89999.5', amount: '20' }],
      asks: [{ price: '90000.5', amount: '30' }],
    },
  ];
};

describe('a market fed from elsewhere', () => {
  test('the listing is the one of the venue without its combos, and the same until it changes', () => {
    const { market, list } = stage();
    const before = market.instruments(NOON);
    expect(before.map((one) => one.name)).toEqual([name, OPTION.name]);
    expect(market.instruments(later(NOON, 5))).toBe(before);
    list([perpetual()]);
    expect(market.instruments(NOON).map((one) => one.name)).toEqual([name]);
    expect(market.instrument(OPTION.name, NOON)).toBeUndefined();
    expect(market.instrument(COMBO.name, NOON)).toBeUndefined();
  });

  test('rows are needed from the start of an instrument to its stop, again after each', () => {
    const { market, calls } = stage();
    expect(market.nextStepAt(NOON)).toBeUndefined();
    for (const at of [0, 2_000]) {
      const commands = market.start(name, later(NOON, at));
      expect(commands.map(({ kind }) => kind)).toEqual(['list_instrument']);
      const nextAt = market.nextStepAt(later(NOON, at));
      expect(nextAt).toBe(later(NOON, at + 50));
      market.stop(name, later(NOON, at + 1_000));
      expect(market.stop(name, later(NOON, at + 1_000))).toEqual([]);
      expect(market.nextStepAt(NOON)).toBeUndefined();
    }
    expect(calls).toEqual([`start ${name}`, `stop ${name}`, `start ${name}`, `stop ${name}`]);
  });

  test('rows become the book, and silence withdraws it until the next row', () => {
    const { market } = stage();
    market.start(name, NOON);
    market.feed(rowsAt(100));
    const shown = market.step(later(NOON, 100));
    expect(shown.map(({ kind }) => kind)).toEqual(['set_reference', 'show_book']);
    expect(market.step(later(NOON, 1_100))).toEqual([]);
    const silent = market.step(later(NOON, 1_101));
    expect(silent.map(({ kind }) => kind)).toEqual(['withdraw_book']);
    market.feed(rowsAt(1_500));
    expect(market.step(later(NOON, 1_500)).at(-1)?.kind).toBe('show_book');
  });

  test('an expiry is delivered at the index as it was published last', () => {
    const { market } = stage();
    market.instruments(NOON);
    const unknown = { ...OPTION, indexName: 'sol_usd' };
    expect(() => market.deliveryPrice(unknown)).toThrow('the index sol_usd is not known');
    market.noteIndex('sol_usd', '150.5');
    expect(text(market.deliveryPrice(unknown))).toBe('150.5');
    market.noteIndex(OPTION.indexName, '89000');
    market.feed(rowsAt(0));
    expect(text(market.deliveryPrice(OPTION))).toBe('90010');
  });
});
