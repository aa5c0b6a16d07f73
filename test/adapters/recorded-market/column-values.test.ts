// Every column of every file of a recording with values that programs write by mistake: each is read, or refused with the file, the
// line, the column and what is accepted.
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readCombos } from '../../../src/adapters/recorded-market/combos-file.ts';
import { readGaps } from '../../../src/adapters/recorded-market/gaps-file.ts';
import { readInstruments } from '../../../src/adapters/recorded-market/instruments-file.ts';
import { readRecording } from '../../../src/adapters/recorded-market/read-recording.ts';
import { RecordingFault } from '../../../src/adapters/recorded-market/recording-fault.ts';
import { recordingFiles } from '../../../src/adapters/recorded-market/recording-files.ts';
import { INSTRUMENTS_HEADER } from '../../../src/recorder/instrument-rows.ts';
import { price } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import type { RecordedEvent } from '../../../src/values/recorded-event.ts';
import { FEE_ACCEPTED } from '../../../src/values/text/plain-decimal.ts';
import { RecordingFolder } from './recorded-market-files.ts';

let folder: RecordingFolder;
beforeEach(() => {
  folder = new RecordingFolder();
});
afterEach(() => folder.remove());

const US = '1700000000000000';
const DAY = '2023-11-14';

interface Kind {
  readonly file: string;
  readonly row: Readonly<Record<string, string>>;
  readonly read: () => Promise<unknown>;
}

/** Prices of tickers become prices when they are replayed. */
async function replayed(): Promise<readonly RecordedEvent[]> {
  const file = must(recordingFiles(folder.path)[0], 'one recording');
  const events: RecordedEvent[] = [];
  for await (const batch of readRecording(file, { isWanted: () => true })) events.push(...batch);
  for (const event of events) {
    if (event.kind !== 'ticker') continue;
    for (const text of [event.mark, event.index, event.underlying]) text && price(text);
  }
  return events;
}

const stamp = { exchange: 'deribit', symbol: 'X', timestamp: US, local_timestamp: US };
const ladder = Object.fromEntries(
  [0, 1, 2, 3, 4].flatMap((level) => [
    [`asks[${level}].price`, '11'],
    [`asks[${level}].amount`, '1'],
    [`bids[${level}].price`, '10'],
    [`bids[${level}].amount`, '1'],
  ]),
);
const quote = { ask_amount: '1', ask_price: '11', bid_price: '10', bid_amount: '1' };
const greeks = { delta: '0.5', gamma: '0.1', vega: '2', theta: '-3', rho: '1' };
const kinds: Readonly<Record<string, Omit<Kind, 'file' | 'read'>>> = {
  quotes: { row: { ...stamp, ...quote } },
  trades: { row: { ...stamp, id: '1', side: 'buy', price: '10', amount: '1' } },
  book_snapshot_5: { row: { ...stamp, ...ladder } },
  derivative_ticker: {
    row: { ...stamp, last_price: '10', index_price: '10', mark_price: '10' },
  },
  options_chain: {
    row: {
      ...stamp,
      type: 'call',
      strike_price: '9',
      expiration: US,
      ...quote,
      mark_price: '10',
      mark_iv: '50',
      underlying_price: '10',
      ...greeks,
    },
  },
};
const OPTION =
  'deribit,X-C,option,BTC,BTC,BTC,1,base,0.0001,0.1,0.1,1774598400000000,90000,call,0.0003,0.0003,0.005:0.0005';
const cells = OPTION.split(',');
const instrument = Object.fromEntries(
  INSTRUMENTS_HEADER.split(',').map((name, at) => [name, cells[at] ?? '']),
);

const KINDS: readonly (readonly [string, Kind])[] = [
  ...Object.entries(kinds).map(([type, { row }]): [string, Kind] => [
    type,
    { file: `deribit_${type}_${DAY}_X.csv`, row, read: replayed },
  ]),
  [
    'instruments',
    {
      file: 'instruments.csv',
      row: instrument,
      read: () => readInstruments(join(folder.path, 'instruments.csv')),
    },
  ],
  [
    'combos',
    {
      file: 'combos.csv',
      row: { exchange: 'deribit', symbol: 'X', leg: 'Y', ratio: '1' },
      read: () => readCombos(folder.path),
    },
  ],
  [
    'gaps',
    {
      file: 'gaps.csv',
      row: {
        exchange: 'deribit',
        symbol: 'X',
        type: '*',
        from: US,
        to: US,
        reason: 'killed',
        detail: '',
      },
      read: () => readGaps(folder.path),
    },
  ],
];

const VALUES = ['', 'abc', ' ', '1e-05', '-1e-05', '1e-30', '1e30', '1e400', '-1', '0', '0x1F'];
const FURTHER = ['NaN', 'inf', '+1', '.5', '01', '1_000', '9'.repeat(60), '0.1:0.2'];

describe.each(KINDS)('%s', (_, { file, row, read }) => {
  function write(column: string, value: string): void {
    const names = Object.keys(row);
    const fields = names.map((name) => (name === column ? value : row[name]));
    folder.write(file, [names.join(','), fields.join(',')]);
  }

  test('a row of plain values is read', async () => {
    write('', '');
    await expect(read()).resolves.toBeDefined();
  });

  test.each(Object.keys(row))('a strange %s is read, or refused by line and name', async (name) => {
    for (const value of [...VALUES, ...FURTHER]) {
      write(name, value);
      const fault = await read().then(
        () => undefined,
        (error: unknown) => error,
      );
      if (fault === undefined) continue;
      expect(fault, `${name}=${value}`).toBeInstanceOf(RecordingFault);
      const shown = JSON.stringify(value.slice(0, 40));
      expect(String(fault)).toContain(`${file}:2: ${name} is ${shown}; accepted: `);
    }
  });
});

describe('the terms of an instrument', () => {
  const read = async (change: Readonly<Record<string, string>>) => {
    const row = { ...instrument, ...change };
    const path = folder.write('instruments.csv', [
      Object.keys(row).join(','),
      Object.values(row).join(','),
    ]);
    return must((await readInstruments(path)).get('deribit X-C'), 'it is described').instrument;
  };

  test('fees that are written with an exponent are exact', async () => {
    const { makerFee, takerFee } = await read({ maker_fee: '1e-05', taker_fee: '5e-04' });
    expect([String(makerFee), String(takerFee)]).toEqual(['0.00001', '0.0005']);
    expect(String((await read({ maker_fee: '-2.5e-05' })).makerFee)).toBe('-0.000025');
  });

  test.each(['0.1', '5', '-0.1', 'abc'])('a fee of %s is refused, as by --fees', async (fee) => {
    const refused = read({ taker_fee: fee });
    await expect(refused).rejects.toThrow(`taker_fee is "${fee}"; accepted: ${FEE_ACCEPTED}`);
  });

  test('a negative tick, lot or strike is refused', async () => {
    for (const column of ['tick_size', 'amount_step', 'min_amount', 'contract_size', 'strike']) {
      await expect(read({ [column]: '-1' })).rejects.toThrow(`${column} is "-1"; accepted: a`);
    }
  });

  test('only spot is matched on another exchange', async () => {
    const terms = { kind: 'spot', settlement: 'USDC' };
    expect((await read({ ...terms, is_routed: 'true' })).isRouted).toBe(true);
    expect(await read({ ...terms, is_routed: '' })).not.toHaveProperty('isRouted');
    for (const wrong of [{ is_routed: 'true' }, { ...terms, is_routed: 'yes' }]) {
      await expect(read(wrong)).rejects.toThrow('accepted: true for spot');
    }
  });

  test('tick steps rise, and are multiples of the tick', async () => {
    const { tickSteps } = await read({ tick_steps: '0.005:0.0005 0.1:1e-03' });
    expect(tickSteps.map(({ above, tickSize }) => [String(above), String(tickSize)])).toEqual([
      ['0.005', '0.0005'],
      ['0.1', '0.001'],
    ]);
    for (const wrong of ['0.005', '0.005:0', '0.1:0.0005 0.005:0.001', '0.005:0.00015', '1:1:1']) {
      await expect(read({ tick_steps: wrong })).rejects.toThrow('accepted: PRICE:TICK');
    }
  });
});
