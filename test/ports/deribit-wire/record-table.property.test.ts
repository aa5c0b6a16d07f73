// The tables of Deribit's wire: what the served wire writes by a row, the adapter reads by the same row.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OrderRecord, TradeRecord } from '../../../src/core/order/order-record.ts';
import { accountJson, summaryIn } from '../../../src/ports/deribit-wire/account-rows.ts';
import {
  quoteIn,
  quoteJson,
  rfqIn,
  rfqJson,
} from '../../../src/ports/deribit-wire/block-rfq-rows.ts';
import { parseExact } from '../../../src/ports/deribit-wire/exact-json.ts';
import { TEXT_IF } from '../../../src/ports/deribit-wire/field-forms.ts';
import { Fields } from '../../../src/ports/deribit-wire/message-fields.ts';
import {
  ORDER_ROWS,
  type OrderReading,
  openOrdersJson,
  orderIn,
  orderJson,
} from '../../../src/ports/deribit-wire/order-rows.ts';
import { positionIn, positionJson } from '../../../src/ports/deribit-wire/position-rows.ts';
import { recordTable } from '../../../src/ports/deribit-wire/record-table.ts';
import { tickerIn, tickerJson } from '../../../src/ports/deribit-wire/ticker-rows.ts';
import { tradeIn, tradeJson } from '../../../src/ports/deribit-wire/trade-rows.ts';
import {
  instrumentIn,
  instrumentJson,
} from '../../../src/ports/deribit-wire/wire-instrument-rows.ts';
import { WireTally } from '../../../src/ports/deribit-wire/wire-tally.ts';
import type { Ticker } from '../../../src/ports/market-reads.ts';
import type { AccountSummary, OpenPosition } from '../../../src/values/account-report.ts';
import {
  money,
  type Price,
  price,
  type Quantity,
  quantity,
  ratio,
  text,
} from '../../../src/values/amounts.ts';
import type { RfqQuoteRecord, RfqRecord } from '../../../src/values/block-rfq-record.ts';
import {
  accountId,
  currency,
  type InstrumentName,
  instrumentName,
  orderId,
  tradeId,
} from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import {
  ADVANCED_KINDS,
  FILL_CONDITIONS,
  ORDER_TYPES,
  TIMES_IN_FORCE,
  TRIGGER_SOURCES,
} from '../../../src/values/order-terms.ts';
import {
  btcCall,
  btcPerpetual,
  btcSpot,
  btcUsdcPerpetual,
  btcUsdcPut,
  ethFuture,
} from '../../exchange/instruments.ts';

const ACCOUNT = accountId('10001');
const unknownTerms = () => undefined;
const listed: readonly Instrument[] = [btcPerpetual, ethFuture, btcCall];
const silent = new WireTally(() => undefined);

const counted: string[] = [];
/** As it arrives at the other end of the wire. */
const sent = (json: unknown): Fields =>
  new Fields('one', parseExact(JSON.stringify(json)), new WireTally((what) => counted.push(what)));

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });
/** Up to six digits before the point and eight behind it: the most a double of the venue carries. */
const digits = fc
  .tuple(fc.integer({ min: 0, max: 999_999 }), fc.integer({ min: 0, max: 99_999_999 }))
  .map(([whole, places]) => `${whole}.${String(places).padStart(8, '0')}`);
const signed = fc.tuple(fc.constantFrom('', '-1'), digits).map((parts) => parts.join(''));
const prices = digits.map(price);
const aboveZero = digits.map((text) => price(`1${text}`));
const quantities = digits.map(quantity);
const amounts = signed.map(money);
const instants = fc.integer({ min: 1, max: 4_000_000_000_000 }).map(instant);
const texts = fc.string({ maxLength: 10 });
const ids = fc.integer({ min: 1 }).map((id) => orderId(`USDC-${id}`));
/** Of a model: eight places. */
const ratios = signed.map(ratio);
const asQuantity = (value: Price): Quantity => quantity(text(value));
const sides = fc.constantFrom('buy' as const, 'sell' as const);
const flags = fc.boolean();
const futures = fc.constantFrom(instrumentName('BTC-PERPETUAL'), instrumentName('ETH-25DEC26'));
const names = fc.oneof(futures, fc.constant(instrumentName('BTC_USDC')));

const orders: fc.Arbitrary<OrderRecord> = fc
  .record({
    orderId: ids,
    account: fc.constant(ACCOUNT),
    instrument: names,
    side: sides,
    type: fc.constantFrom(...ORDER_TYPES),
    originalType: maybe(fc.constantFrom(...ORDER_TYPES)),
    state: fc.constantFrom('open', 'filled', 'rejected', 'cancelled', 'untriggered', 'triggered'),
    price: maybe(prices),
    quantity: quantities,
    contracts: maybe(quantities),
    filledQuantity: quantities,
    averagePrice: maybe(aboveZero),
    timeInForce: fc.constantFrom(...TIMES_IN_FORCE),
    postOnly: flags,
    rejectPostOnly: flags,
    reduceOnly: flags,
    label: texts,
    createdAt: instants,
    updatedAt: instants,
    cancelReason: maybe(texts),
    replaced: flags,
    autoReplaced: maybe(flags),
    advanced: maybe(fc.record({ kind: fc.constantFrom(...ADVANCED_KINDS), value: prices })),
    displayQuantity: maybe(quantities),
    refreshQuantity: maybe(quantities),
    trigger: maybe(
      fc.record({
        source: fc.constantFrom(...TRIGGER_SOURCES),
        price: maybe(prices),
        offset: maybe(prices),
        reference: maybe(prices),
      }),
    ),
    triggered: maybe(flags),
    triggerOrderId: maybe(ids),
    fillCondition: maybe(fc.constantFrom(...FILL_CONDITIONS)),
    otoOrderIds: maybe(fc.array(ids, { maxLength: 3 })),
    isSecondaryOto: maybe(flags),
    isPrimaryOtoco: maybe(flags),
    primaryOrderId: maybe(ids),
    ocoRef: maybe(texts),
    mmp: flags,
    mmpCancelled: maybe(flags),
  })
  // What the wire does not say: post-only alone may be rejected for it, and spot reduces nothing.
  .map((order) => ({
    ...order,
    rejectPostOnly: order.postOnly && order.rejectPostOnly,
    reduceOnly: order.instrument !== 'BTC_USDC' && order.reduceOnly,
  }));

const tradeFields = {
  tradeId: fc.integer({ min: 1 }).map((id) => tradeId(`T-${id}`)),
  tradeSeq: fc.nat(),
  account: fc.constant(ACCOUNT),
  orderId: ids,
  orderType: fc.constantFrom('limit' as const, 'market' as const),
  label: texts,
  instrument: names,
  side: sides,
  state: fc.constantFrom('open', 'filled', 'rejected', 'cancelled', 'untriggered'),
  price: prices,
  quantity: quantities,
  contracts: maybe(quantities),
  liquidity: fc.constantFrom('maker' as const, 'taker' as const),
  fee: amounts,
  feeCurrency: fc.constantFrom(currency('BTC'), currency('USDC')),
  tickDirection: fc.constantFrom(0, 1, 2, 3),
  indexPrice: prices,
  markPrice: prices,
  underlyingPrice: maybe(prices),
  // Hundredths of a percent, which the wire has as percent.
  iv: maybe(fc.integer({ min: 1, max: 30_000 }).map((part) => part / 100 / 100)),
  comboId: maybe(texts),
  comboTradeId: maybe(texts),
  at: instants,
} as const;
const noFlags = { postOnly: false, reduceOnly: false, mmp: false };
const legs = fc.record(tradeFields).map((leg) => Object.assign(leg, noFlags) as TradeRecord);

const trades: fc.Arbitrary<TradeRecord> = fc.record({
  ...tradeFields,
  profitLoss: maybe(amounts),
  advanced: maybe(fc.constantFrom(...ADVANCED_KINDS)),
  postOnly: flags,
  reduceOnly: flags,
  mmp: flags,
  blockTradeId: maybe(texts),
  blockRfqId: maybe(fc.oneof(texts, fc.nat().map(String))),
  blockRfqQuoteId: maybe(fc.nat().map(String)),
  legs: maybe(fc.array(legs, { minLength: 1, maxLength: 2 })),
  allocations: maybe(
    fc.array(
      fc.record({
        quantity: quantities,
        fee: amounts,
        userId: maybe(fc.nat()),
        client: maybe(
          fc.record({ clientId: fc.nat(), clientLinkId: maybe(fc.nat()), name: maybe(texts) }),
        ),
      }),
      { maxLength: 2 },
    ),
  ),
});

const positions: fc.Arbitrary<OpenPosition> = fc
  .record({
    account: fc.constant(ACCOUNT),
    of: fc.constantFrom(btcPerpetual, ethFuture, btcCall),
    quantity: signed.map(quantity),
    averagePrice: prices,
    markPrice: prices,
    indexPrice: prices,
    settlementPrice: prices,
    floatingProfitLoss: amounts,
    realizedProfitLoss: amounts,
    delta: ratios,
    gamma: ratios,
    vega: ratios,
    theta: ratios,
    initialMargin: amounts,
    maintenanceMargin: amounts,
    openOrdersMargin: amounts,
    realizedFunding: amounts,
  })
  // Greeks are those of options, funding is that of perpetuals.
  .map(({ of: { name, kind }, gamma, vega, theta, realizedFunding, ...position }) => ({
    ...position,
    instrument: name,
    kind,
    gamma: kind === 'option' ? gamma : undefined,
    vega: kind === 'option' ? vega : undefined,
    theta: kind === 'option' ? theta : undefined,
    realizedFunding: kind === 'perpetual' ? realizedFunding : undefined,
  }));

const summaries: fc.Arbitrary<AccountSummary> = fc.record({
  account: fc.constant(ACCOUNT),
  currency: fc.constantFrom(currency('BTC'), currency('USDC')),
  balance: amounts,
  equity: amounts,
  availableFunds: amounts,
  marginBalance: amounts,
  initialMargin: amounts,
  maintenanceMargin: amounts,
  sessionRealised: amounts,
  sessionUnrealised: amounts,
  optionsValue: amounts,
  spotReserve: amounts,
  deltaTotal: ratios,
  optionsGamma: ratios,
  optionsVega: ratios,
  optionsTheta: ratios,
});

const levels = maybe(fc.record({ price: aboveZero, quantity: aboveZero.map(asQuantity) }));
/** Hundredths of a percent, above zero: the wire writes a side without a volatility as zero. */
const volatilities = maybe(fc.integer({ min: 1, max: 30_000 }).map((part) => part / 100 / 100));
/** As many decimals as the wire has of each. */
const model = (places: number) =>
  maybe(fc.integer({ min: -1_000_000, max: 1_000_000 }).map((part) => part / 10 ** places));
const rates = model(8);
const NO_VOLATILITIES = [undefined, undefined, undefined] as const;

const tickers: fc.Arbitrary<{ readonly of: Instrument; readonly ticker: Ticker }> = fc
  .record({
    of: fc.constantFrom(btcPerpetual, btcCall),
    at: instants,
    state: fc.constantFrom('open', 'settlement', 'locked', 'closed'),
    bid: levels,
    ask: levels,
    last: maybe(prices),
    mark: aboveZero,
    index: aboveZero,
    minPrice: maybe(prices),
    maxPrice: maybe(prices),
    openInterest: quantities,
    settlementPrice: maybe(prices),
    estimatedDeliveryPrice: prices,
    deliveryPrice: maybe(prices),
    volume: quantities,
    volumeUsd: maybe(digits),
    high: maybe(prices),
    low: maybe(prices),
    priceChange: model(4),
    ivs: fc.tuple(volatilities, volatilities, volatilities),
    underlying: maybe(prices),
    underlyingName: maybe(texts),
    greeks: maybe(
      fc.record({
        delta: model(5),
        gamma: model(8),
        vega: model(5),
        theta: model(5),
        rho: fc.constant(0.25),
      }),
    ),
    funding8h: rates,
    currentFunding: rates,
  })
  .map(({ of, volume, volumeUsd, high, low, priceChange, ivs, ...ticker }) => {
    const isOption = of.kind === 'option';
    const [markIv, bidIv, askIv] = isOption ? ivs : NO_VOLATILITIES;
    const { underlying, underlyingName } = ticker;
    return {
      of,
      ticker: {
        ...ticker,
        instrument: of.name,
        // The wire counts the volume of an inverse perpetual in coins.
        stats: { volume: isOption ? volume : quantity('0'), volumeUsd, high, low, priceChange },
        markIv,
        bidIv,
        askIv,
        underlying: isOption ? underlying : undefined,
        underlyingName: isOption ? underlyingName : undefined,
      },
    };
  });

const steps = aboveZero;
const instruments: fc.Arbitrary<Instrument> = fc
  .record({
    of: fc.constantFrom(btcPerpetual, ethFuture, btcCall, btcUsdcPerpetual, btcUsdcPut, btcSpot),
    contractSize: steps.map(asQuantity),
    amountStep: steps.map(asQuantity),
    minAmount: steps.map(asQuantity),
    tickSize: steps,
    tickSteps: fc.array(fc.record({ above: prices, tickSize: steps }), { maxLength: 3 }),
    makerFee: ratios,
    takerFee: ratios,
    isRouted: fc.constantFrom(true as const, undefined),
  })
  .map(({ of, tickSteps, ...drawn }) => ({
    ...of,
    ...drawn,
    tickSteps: tickSteps.toSorted((a, b) => a.above.comparedTo(b.above)),
  }));

const optionNames = fc.constantFrom(btcCall.name, btcUsdcPut.name);
const nonEmpty = fc.string({ minLength: 1, maxLength: 12 });
const rfqLegs = fc.record({
  instrument: optionNames,
  ratio: fc.constantFrom('1', '2', '0.25').map(ratio),
  side: sides,
});
const rfqHedges = maybe(
  fc.record({ instrument: futures, quantity: quantities, side: sides, price: prices }),
);
const instructions = fc.constantFrom('any_part_of' as const, 'all_or_none' as const);
const rfqLevels = fc.array(
  fc.record({
    quantity: quantities,
    executionInstruction: instructions,
    price: signed.map(price),
    makers: fc.array(nonEmpty, { maxLength: 2 }),
    lastUpdatedAt: instants,
    expiresAt: maybe(instants),
  }),
  { maxLength: 2 },
);
/** Why an RFQ ended, which the wire does not say. */
const ENDS = { open: undefined, filled: 'filled', cancelled: 'cancelled', expired: 'expired' };

const rfqs: fc.Arbitrary<RfqRecord> = fc
  .record({
    id: fc.nat().map(String),
    status: fc.constantFrom(
      'open' as const,
      'filled' as const,
      'cancelled' as const,
      'expired' as const,
    ),
    quantity: quantities,
    legs: fc.array(rfqLegs, { minLength: 1, maxLength: 3 }),
    hedge: rfqHedges,
    comboId: maybe(nonEmpty),
    createdAt: instants,
    expiresAt: instants,
    makers: fc.array(nonEmpty, { maxLength: 2 }),
    taker: maybe(nonEmpty),
    disclosed: flags,
    label: maybe(nonEmpty),
    minTradeQuantity: quantities,
    bids: rfqLevels,
    asks: rfqLevels,
    allocations: fc.array(fc.record({ quantity: quantities, userId: maybe(fc.nat()) }), {
      maxLength: 2,
    }),
    triggers: fc.array(
      fc.record({
        state: fc.constantFrom('untriggered' as const, 'triggered' as const, 'cancelled' as const),
        side: sides,
        price: signed.map(price),
        cancelReason: maybe(texts),
      }),
      { maxLength: 1 },
    ),
    fills: fc.array(
      fc.record({
        side: sides,
        price: signed.map(price),
        quantity: quantities,
        maker: maybe(nonEmpty),
        hedgeQuantity: maybe(quantities),
      }),
      { maxLength: 2 },
    ),
    markPrice: maybe(signed.map(price)),
    indexPrices: maybe(fc.record({ btc_usd: digits })),
    includedInTakerRating: maybe(flags),
    takerRating: maybe(texts),
  })
  .map((rfq) => ({
    ...rfq,
    role: 'taker',
    closedReason: ENDS[rfq.status],
    currency: currency('BTC'),
    lastUpdatedAt: instant(
      Math.max(rfq.createdAt, ...[...rfq.bids, ...rfq.asks].map((one) => one.lastUpdatedAt)),
    ),
  }));

const quotes: fc.Arbitrary<RfqQuoteRecord> = fc.record({
  id: fc.nat().map(String),
  rfqId: fc.nat().map(String),
  currency: fc.constant(currency('BTC')),
  label: maybe(nonEmpty),
  quantity: quantities,
  filledQuantity: quantities,
  side: sides,
  price: signed.map(price),
  executionInstruction: instructions,
  legs: fc.array(
    fc.tuple(rfqLegs, prices).map(([leg, at]) => Object.assign(leg, { price: at })),
    { minLength: 1, maxLength: 2 },
  ),
  hedge: rfqHedges,
  status: fc.constantFrom('open', 'filled', 'cancelled', 'expired'),
  statusReason: maybe(texts),
  replaced: flags,
  createdAt: instants,
  lastUpdatedAt: instants,
  expiresAt: maybe(instants),
});

describe('one row is enough', () => {
  interface Noted extends OrderRecord {
    readonly desk?: string | undefined;
  }
  const { field, writer, reader } = recordTable<Noted, undefined, OrderReading>();

  it('a field with a row of its own is written with every order and read from every order', () => {
    const rows = [...ORDER_ROWS, field('desk', 'desk', TEXT_IF)];
    const [write, read] = [writer(rows), reader(rows)];
    const context = { account: ACCOUNT, terms: undefined };
    fc.assert(
      fc.property(orders, maybe(texts), (order, desk) => {
        const json = write({ ...order, desk }, undefined);
        expect(JSON.stringify(json)).toBe(JSON.stringify({ ...orderJson(order), desk }));
        expect(read(sent(json), context)).toEqual({ ...order, desk });
      }),
    );
  });
});

describe('a record arrives as it was sent', () => {
  const through = (order: OrderRecord) => orderIn(sent(orderJson(order)), ACCOUNT, unknownTerms);

  it('every field of an order', () => {
    fc.assert(
      fc.property(orders, (order) => {
        expect(through(order)).toEqual(order);
      }),
    );
    expect(counted).toEqual([]);
  });

  it('an order of a liquidation says so, and no other order has the field', () => {
    fc.assert(
      fc.property(orders, futures, flags, (drawn, instrument, isForced) => {
        const order = { ...drawn, instrument };
        const isLiquidation = isForced ? (true as const) : undefined;
        const read = through({ ...order, isLiquidation });
        expect(Object.keys(read).includes('isLiquidation')).toBe(isForced);
        expect(read.isLiquidation).toBe(isLiquidation);
      }),
    );
  });

  it('a speed bump, in lists of open orders alone', () => {
    fc.assert(
      fc.property(orders, (drawn) => {
        const order = { ...drawn, state: 'open', isSpeedBumped: true } as const;
        const [listed] = openOrdersJson([order]);
        expect(orderIn(sent(listed), ACCOUNT, unknownTerms)).toEqual(order);
        expect(through(order)).not.toHaveProperty('isSpeedBumped');
      }),
    );
  });

  it('every field of a trade, its legs and its allocations included', () => {
    const context = { account: ACCOUNT, termsOf: unknownTerms, sideOf: () => undefined };
    fc.assert(
      fc.property(trades, (trade) => {
        expect(tradeIn(sent(tradeJson(trade)), context)).toEqual(trade);
      }),
    );
    expect(counted).toEqual([]);
  });

  it('the side of a trade is that of its order where the order is known, and a leg has its own', () => {
    fc.assert(
      fc.property(trades, sides, (trade, side) => {
        const context = { account: ACCOUNT, termsOf: unknownTerms, sideOf: () => side };
        const read = tradeIn(sent(tradeJson(trade)), context);
        expect(read).toEqual({ ...trade, side });
      }),
    );
  });

  it('every field of a position, a short with the sign of its size', () => {
    const termsOf = (name: InstrumentName) => listed.find((one) => one.name === name);
    fc.assert(
      fc.property(positions, (position) => {
        const fields = sent(positionJson(position, termsOf(position.instrument)));
        expect(positionIn(fields, ACCOUNT, termsOf)).toEqual(position);
      }),
    );
  });

  it('an average that never ends is written with eight places, of an inverse option in USD too', () => {
    const nothing = money('0');
    const position: OpenPosition = {
      account: ACCOUNT,
      instrument: btcCall.name,
      kind: 'option',
      quantity: quantity('-0.3'),
      averagePrice: price('1').div(3) as Price,
      indexPrice: price('3'),
      floatingProfitLoss: money('-0.1'),
      realizedProfitLoss: nothing,
      delta: ratio('-0.15'),
      initialMargin: nothing,
      maintenanceMargin: nothing,
      openOrdersMargin: nothing,
    };
    const json = JSON.stringify(positionJson(position, btcCall));
    expect(json).toContain('"average_price":0.33333333,');
    expect(json).toContain('"average_price_usd":1.0,"floating_profit_loss_usd":-0.3');
  });

  it('every field of an account summary', () => {
    fc.assert(
      fc.property(summaries, fc.array(positions, { maxLength: 3 }), (summary, held) => {
        const instrumentOf = () => btcPerpetual;
        const json = accountJson({ summary, positions: held, instrumentOf });
        expect(summaryIn(sent(json), ACCOUNT)).toEqual(summary);
      }),
    );
  });

  it('every field of a ticker, an empty side and unknown greeks left out', () => {
    fc.assert(
      fc.property(tickers, ({ of, ticker }) => {
        const json = JSON.parse(JSON.stringify(tickerJson(of, ticker)));
        const read = tickerIn(parseExact(JSON.stringify(tickerJson(of, ticker))), silent);
        expect(read).toEqual(ticker);
        expect(json.best_bid_amount === 0).toBe(ticker.bid === undefined);
      }),
    );
  });

  it('every field of an instrument of each kind', () => {
    fc.assert(
      fc.property(instruments, (instrument) => {
        const json = instrumentJson(instrument, instant(0));
        expect(instrumentIn(sent(json), () => undefined)).toEqual(instrument);
      }),
    );
  });

  const context = { currencyOf: () => currency('BTC'), venueNow: instant(8_000_000_000_000) };

  it('every field of a Block RFQ that its taker sees', () => {
    fc.assert(
      fc.property(rfqs, (rfq) => {
        expect(rfqIn(sent(rfqJson(rfq)), context)).toEqual(rfq);
      }),
    );
  });

  it('a maker receives neither quotes nor label, triggers and allocations of the taker', () => {
    fc.assert(
      fc.property(rfqs, (drawn) => {
        const rfq = { ...drawn, role: 'maker', status: 'open', closedReason: undefined } as const;
        const hidden = { makers: [], bids: [], asks: [], label: undefined, triggers: [] };
        const expected = { ...rfq, allocations: [], lastUpdatedAt: rfq.createdAt };
        expect(rfqIn(sent(rfqJson(rfq)), context)).toEqual(Object.assign(expected, hidden));
      }),
    );
  });

  it('every field of a quote', () => {
    fc.assert(
      fc.property(quotes, (quote) => {
        expect(quoteIn(sent(quoteJson(quote)), context)).toEqual(quote);
      }),
    );
  });
});
