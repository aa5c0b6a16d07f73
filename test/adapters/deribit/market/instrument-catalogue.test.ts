// The instruments of a Deribit venue: every field of the wire, in the shapes of several years, and how the lists are
// kept up to date.
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../../src/adapters/deribit/outcome.ts';
import { must } from '../../../../src/values/assert.ts';
import { instrumentName } from '../../../../src/values/ids.ts';
import { HOUR_MS, later, MINUTE_MS } from '../../../../src/values/instant.ts';
import type { Instrument } from '../../../../src/values/instrument.ts';
import { NOON } from '../../paper/paper-stage.ts';
import { refusedWith, result, ScriptedMarket } from './scripted-market.ts';

const EXPIRY = later(NOON, 30 * 24 * HOUR_MS);

const PERPETUAL = {
  kind: 'future',
  instrument_name: 'BTC-PERPETUAL',
  settlement_period: 'perpetual',
  base_currency: 'BTC',
  quote_currency: 'USD',
  counter_currency: 'USD',
  settlement_currency: 'BTC',
  instrument_type: 'reversed',
  future_type: 'reversed',
  contract_size: 10,
  min_trade_amount: 10,
  qty_tick_size: 10,
  tick_size: 0.5,
  tick_size_steps: [],
  expiration_timestamp: 32_503_708_800_000,
  is_active: true,
  maker_commission: 0,
  taker_commission: 0.0005,
  price_index: 'btc_usd',
  state: 'open',
};
const FUTURE = {
  ...PERPETUAL,
  instrument_name: 'BTC-18DEC26',
  settlement_period: 'month',
  expiration_timestamp: EXPIRY,
  tick_size: 2.5,
};
const OPTION = {
  kind: 'option',
  instrument_name: 'BTC-18DEC26-80000-C',
  settlement_period: 'month',
  base_currency: 'BTC',
  quote_currency: 'BTC',
  counter_currency: 'USD',
  settlement_currency: 'BTC',
  instrument_type: 'reversed',
  contract_size: 1,
  min_trade_amount: 0.1,
  tick_size: 0.0001,
  strike: 8e4,
  option_type: 'call',
  tick_size_steps: [{ above_price: 0.005, tick_size: 0.0005 }],
  expiration_timestamp: EXPIRY,
  is_active: true,
  price_index: 'btc_usd',
  maker_commission: 0.0003,
  taker_commission: 0.0003,
};
const LINEAR = {
  ...PERPETUAL,
  instrument_name: 'SOL_USDC-PERPETUAL',
  base_currency: 'SOL',
  quote_currency: 'USDC',
  counter_currency: 'USDC',
  settlement_currency: 'USDC',
  instrument_type: 'linear',
  future_type: 'linear',
  contract_size: 0.1,
  min_trade_amount: 0.1,
  qty_tick_size: 0.1,
  tick_size: 0.001,
  price_index: 'sol_usdc',
  maker_commission: -0.0001,
};
const SPOT = {
  kind: 'spot',
  instrument_name: 'BTC_USDT',
  settlement_period: 'perpetual',
  base_currency: 'BTC',
  quote_currency: 'USDT',
  counter_currency: 'USDT',
  instrument_type: 'linear',
  contract_size: 0.0001,
  min_trade_amount: 0.0001,
  tick_size: 0.1,
  expiration_timestamp: 32_503_708_800_000,
  is_active: true,
  price_index: 'btc_usdt',
  maker_commission: 0,
  taker_commission: 0,
  is_cbe_routed: true,
};
const COMBO = {
  ...FUTURE,
  kind: 'future_combo',
  instrument_name: 'BTC-FS-18DEC26_PERP',
  tick_size: 0.5,
};
const COMBOS = [
  {
    id: 'BTC-FS-18DEC26_PERP',
    state: 'active',
    instrument_id: 7,
    creation_timestamp: NOON,
    legs: [
      { instrument_name: 'BTC-PERPETUAL', amount: -1 },
      { instrument_name: 'BTC-18DEC26', amount: 1 },
    ],
  },
];

async function listing(
  listed: readonly unknown[],
  { expired = [], combos = COMBOS }: { expired?: readonly unknown[]; combos?: unknown } = {},
): Promise<ScriptedMarket> {
  const scripted = new ScriptedMarket();
  scripted.answers.set('public/get_instruments', (params) =>
    result(params['expired'] === true ? expired : listed),
  );
  scripted.answers.set('public/get_combos', () => result(combos));
  await scripted.connect();
  return scripted;
}

/** Amounts as their digits. */
const plain = (value: Instrument): unknown => JSON.parse(JSON.stringify(value));

const known = ({ market }: ScriptedMarket, name: string): Instrument =>
  must(market.instruments.known(instrumentName(name)), name);
const names = ({ market, clock }: ScriptedMarket): readonly string[] =>
  market.instruments.listed(clock.now()).map(({ name }) => name);

describe('an instrument', () => {
  test('An inverse perpetual is sized in USD, settled in its coin, and never expires', async () => {
    const read = known(await listing([PERPETUAL]), 'BTC-PERPETUAL');
    expect(plain(read)).toEqual({
      name: 'BTC-PERPETUAL',
      kind: 'perpetual',
      base: 'BTC',
      quote: 'USD',
      settlement: 'BTC',
      marginKind: 'inverse',
      amountUnit: 'usd',
      contractSize: '10',
      amountStep: '10',
      minAmount: '10',
      tickSize: '0.5',
      tickSteps: [],
      indexName: 'btc_usd',
      makerFee: '0',
      takerFee: '0.0005',
    });
  });

  test('An inverse option is priced in its coin, with the steps of its tick', async () => {
    const read = known(await listing([OPTION]), 'BTC-18DEC26-80000-C');
    expect(plain(read)).toMatchObject({
      kind: 'option',
      quote: 'BTC',
      settlement: 'BTC',
      marginKind: 'inverse',
      amountUnit: 'base',
      amountStep: '0.1',
      contractSize: '1',
      expiresAt: EXPIRY,
      option: { strike: '80000', type: 'call' },
      tickSteps: [{ above: '0.005', tickSize: '0.0005' }],
    });
  });

  test('A linear perpetual is sized in its coin and settled in its price currency', async () => {
    expect(plain(known(await listing([LINEAR]), 'SOL_USDC-PERPETUAL'))).toMatchObject({
      kind: 'perpetual',
      quote: 'USDC',
      settlement: 'USDC',
      marginKind: 'linear',
      amountUnit: 'base',
      amountStep: '0.1',
      makerFee: '-0.0001',
    });
  });

  test('Spot is settled in its price currency, which the wire leaves out', async () => {
    const read = known(await listing([SPOT]), 'BTC_USDT');
    expect(plain(read)).toMatchObject({
      kind: 'spot',
      quote: 'USDT',
      settlement: 'USDT',
      marginKind: 'linear',
      amountUnit: 'base',
      amountStep: '0.0001',
    });
    expect(read.expiresAt).toBeUndefined();
  });

  test('A combo has the legs of the list of combos, and is sized as they are', async () => {
    expect(plain(known(await listing([COMBO]), 'BTC-FS-18DEC26_PERP'))).toMatchObject({
      kind: 'future_combo',
      amountUnit: 'usd',
      settlement: 'BTC',
      quote: 'USD',
      legs: [
        { instrument: 'BTC-PERPETUAL', ratio: -1 },
        { instrument: 'BTC-18DEC26', ratio: 1 },
      ],
    });
  });

  test.each([
    [
      { ...OPTION, quote_currency: 'USD' },
      { quote: 'BTC', settlement: 'BTC', amountStep: '0.1' },
    ],
    [OPTION, { quote: 'BTC', settlement: 'BTC', amountUnit: 'base' }],
    [FUTURE, { quote: 'USD', settlement: 'BTC', amountUnit: 'usd' }],
    [PERPETUAL, { kind: 'perpetual', marginKind: 'inverse', amountStep: '10' }],
  ])(
    'An instrument as answered in 2020, without types, steps and an index, is read: %#',
    async (listed, expected) => {
      const { settlement_currency: _, counter_currency: __, ...rest } = listed;
      const old = { ...rest, price_index: undefined, instrument_type: undefined };
      const bare = { ...old, future_type: undefined, tick_size_steps: undefined };
      const scripted = await listing([{ ...bare, qty_tick_size: undefined }]);
      expect(plain(known(scripted, listed.instrument_name))).toMatchObject({
        ...expected,
        indexName: 'btc_usd',
      });
    },
  );

  test('New members, currencies, periods and states are read', async () => {
    const scripted = await listing([
      {
        ...LINEAR,
        instrument_name: 'NEWCOIN_USDX-PERPETUAL',
        base_currency: 'NEWCOIN',
        quote_currency: 'USDX',
        settlement_currency: 'USDX',
        state: 'dreaming',
        product_group: 'TIER_9',
        instrument_id: '123456789012345678',
        nested: { a: [1] },
      },
    ]);
    expect(names(scripted)).toEqual(['NEWCOIN_USDX-PERPETUAL']);
  });

  test.each([
    ['of another kind', { kind: 'warrant' }],
    ['without a tick', { tick_size: null }],
    ['with a tick of zero', { tick_size: 0 }],
    ['with a lot below zero', { qty_tick_size: -1 }],
    ['with a name of two lines', { instrument_name: 'BTC\nPERPETUAL' }],
    ['with a price currency of many words', { quote_currency: 'the dollar' }],
    ['of a combo without legs', { kind: 'option_combo', instrument_name: 'BTC-CS-1' }],
  ])('One %s is left out, counted and reported, and the others are listed', async (_why, fault) => {
    const scripted = await listing([{ ...PERPETUAL, ...fault }, FUTURE, 'no object']);
    expect(names(scripted)).toEqual(['BTC-18DEC26']);
    expect(scripted.faults).toEqual([expect.stringMatching(/^2 instruments are left out; first /)]);
    const counted = [...scripted.tally.counts.keys()].filter((one) => one.startsWith('left out'));
    expect(counted).toHaveLength(2);
  });
});

describe('the lists of instruments', () => {
  test('An instrument is in trading until its expiry, and known afterwards', async () => {
    const scripted = await listing([PERPETUAL, FUTURE, OPTION]);
    const { market } = scripted;
    expect(names(scripted)).toHaveLength(3);
    const name = instrumentName('BTC-18DEC26');
    expect(market.instruments.trading(name, later(EXPIRY, -1))).toBeDefined();
    expect(market.instruments.trading(name, EXPIRY)).toBeUndefined();
    expect(market.instruments.listed(EXPIRY).map((one) => one.name)).toEqual(['BTC-PERPETUAL']);
    expect(market.instruments.expired(EXPIRY)).toHaveLength(2);
    expect(market.instruments.known(name)).toBeDefined();
  });

  test('Expired and inactive instruments are known, but not in trading', async () => {
    const over = { ...FUTURE, instrument_name: 'BTC-2OCT26', expiration_timestamp: NOON - 1 };
    const scripted = await listing([PERPETUAL, { ...FUTURE, is_active: false }], {
      expired: [over],
    });
    expect(names(scripted)).toEqual(['BTC-PERPETUAL']);
    expect(scripted.market.instruments.expired(NOON).map(({ name }) => name)).toEqual([
      'BTC-18DEC26',
      'BTC-2OCT26',
    ]);
  });

  test('The lists are read again every hour, and three minutes after the settlement', async () => {
    const scripted = await listing([PERPETUAL]);
    const before = known(scripted, 'BTC-PERPETUAL');
    const reads = () => scripted.calls('public/get_combos').length;
    expect(reads()).toBe(1);
    await scripted.pass(HOUR_MS);
    expect(reads()).toBe(2);
    expect(known(scripted, 'BTC-PERPETUAL')).toBe(before);
    await scripted.pass(19 * HOUR_MS - MINUTE_MS);
    const atSettlement = reads();
    await scripted.pass(4 * MINUTE_MS + 1);
    expect(reads()).toBe(atSettlement + 2);
  });

  test('A list that is not answered leaves the last in force and is requested again after a minute', async () => {
    const scripted = await listing([PERPETUAL]);
    scripted.answers.set('public/get_instruments', () => refusedWith(10040, 'retry'));
    await scripted.pass(HOUR_MS);
    expect(names(scripted)).toEqual(['BTC-PERPETUAL']);
    expect(scripted.faults).toEqual(['public/get_instruments: 10040 retry']);
    scripted.answers.set('public/get_instruments', ({ expired }) =>
      result(expired === true ? [] : [PERPETUAL, FUTURE]),
    );
    await scripted.pass(MINUTE_MS);
    expect(names(scripted)).toEqual(['BTC-PERPETUAL', 'BTC-18DEC26']);
  });

  test('A connection without a list of instruments is not used', async () => {
    const scripted = new ScriptedMarket();
    scripted.answers.set('public/get_instruments', () => result({ no: 'list' }));
    await expect(scripted.connect()).rejects.toThrow(/is not a list/);
  });

  test('A connection that comes back within a minute is used at once, and the lists are read soon', async () => {
    const scripted = await listing([PERPETUAL]);
    scripted.break();
    await scripted.connect();
    expect(scripted.calls('public/get_combos')).toHaveLength(1);
    await scripted.pass(5_000);
    expect(scripted.calls('public/get_combos')).toHaveLength(2);
  });

  test('A new instrument is listed when it is published, a new combo when its legs were read', async () => {
    const scripted = await listing([PERPETUAL], { combos: [] });
    scripted.publish('instrument.creation.any.any', FUTURE);
    expect(names(scripted)).toEqual(['BTC-PERPETUAL', 'BTC-18DEC26']);
    scripted.answers.set('public/get_combos', () => result(COMBOS));
    scripted.answers.set('public/get_instruments', ({ expired }) =>
      result(expired === true ? [] : [PERPETUAL, FUTURE, COMBO]),
    );
    scripted.publish('instrument.creation.any.any', COMBO);
    expect(names(scripted)).toHaveLength(2);
    await scripted.pass(5_000);
    expect(names(scripted)).toContain('BTC-FS-18DEC26_PERP');
  });

  test('What is published while the lists are read is not lost with them', async () => {
    const scripted = await listing([PERPETUAL]);
    const answer = Promise.withResolvers<Outcome>();
    scripted.answers.set('public/get_combos', () => answer.promise);
    await scripted.pass(HOUR_MS);
    scripted.publish('instrument.creation.any.any', FUTURE);
    answer.resolve(result(COMBOS));
    await scripted.pass(100);
    expect(names(scripted)).toEqual(['BTC-PERPETUAL']);
    scripted.answers.set('public/get_instruments', ({ expired }) =>
      result(expired === true ? [] : [PERPETUAL, FUTURE]),
    );
    await scripted.pass(5_000);
    expect(names(scripted)).toEqual(['BTC-PERPETUAL', 'BTC-18DEC26']);
  });

  test('A state ends the trading of an instrument, and a pause does not', async () => {
    const scripted = await listing([PERPETUAL, FUTURE, OPTION]);
    const publish = (instrument_name: string, state: string): void =>
      scripted.publish('instrument.state.any.any', { timestamp: NOON, state, instrument_name });
    publish('BTC-PERPETUAL', 'settlement');
    publish('BTC-18DEC26', 'delivered');
    publish('BTC-18DEC26-80000-C', 'halted');
    expect(names(scripted)).toEqual(['BTC-PERPETUAL', 'BTC-18DEC26-80000-C']);
    expect(known(scripted, 'BTC-18DEC26').expiresAt).toBe(EXPIRY);
    publish('BTC-18DEC26-80000-C', 'a word of next year');
    expect(names(scripted)).toHaveLength(2);
    expect([...scripted.tally.counts.keys()]).toEqual([
      'a state of an instrument: state is a word of next year',
    ]);
  });

  test('An unknown instrument that opens makes the lists be read within seconds, once for many', async () => {
    const scripted = await listing([PERPETUAL]);
    const reads = scripted.calls('public/get_combos').length;
    for (const one of ['A', 'B', 'C']) {
      scripted.publish('instrument.state.any.any', {
        timestamp: NOON,
        state: 'open',
        instrument_name: `BTC-${one}`,
      });
    }
    await scripted.pass(6_000);
    expect(scripted.calls('public/get_combos')).toHaveLength(reads + 1);
  });
});
