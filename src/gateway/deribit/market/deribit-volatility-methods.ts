// Deribit's public methods about volatility and turnover of a currency. Decisions: the volatility index is the implied
// volatility of thirty days; turnovers of 7 and 30 days are those of 24 hours, because older ones are not counted;
// the turnover of a combo is that of its legs, each with its ratio.

import { modelNumber } from '../../../ports/deribit-wire/json-number.ts';
import { baseVolume } from '../../../ports/deribit-wire/ticker-rows.ts';
import type { Ticker } from '../../../ports/market-reads.ts';
import { plus, type Quantity, steps, ZERO_QUANTITY } from '../../../values/amounts.ts';
import { DAY_MS, later, SECOND_MS } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { type NameTerms, nameTerms } from '../../../values/instrument-names.ts';
import type { Desks } from '../../desks/desks.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { looked } from '../../order-api/market/ask-market.ts';
import { done } from '../../order-api/method.ts';
import { optionalOr } from '../../wire/fields.ts';
import { ReadyJson } from '../../wire/ready-json.ts';
import { type DeribitMethod, publicMethod } from '../method/deribit-method.ts';
import { flagParam, instantParam } from '../method/deribit-params.ts';
import { type CurrencyChoice, currencyParam } from '../method/instrument-params.ts';
import { notKept } from './ask-history.ts';
import { eachTicker, sharedAnswer } from './book-summaries.ts';
import { volumeNumber } from './deribit-history-json.ts';
import { resolutionParam } from './deribit-tape-methods.ts';

/** The market and the index in USD of a currency, if there is one. */
function indexOf(orders: Desks, { code }: CurrencyChoice) {
  const index = `${code?.toLowerCase()}_usd`;
  const market = orders.markets().find((one) => one.indexNames().includes(index));
  return market && { market, index };
}

const realised = publicMethod({
  row: ROWS.getHistoricalVolatility,
  params: { currency: currencyParam },
  run: ({ orders }, { currency }) =>
    looked(async () => {
      const found = indexOf(orders, currency);
      if (found === undefined) return done([]);
      const rows = await found.market.history('realised', { index: found.index });
      if (rows === undefined) return notKept();
      return done(rows.map(({ at, percent }) => [at, modelNumber(percent, 4)]));
    }),
});

const RESOLUTIONS: ReadonlyMap<string, number> = new Map([
  ...[1, 60, 3_600, 43_200].map((seconds) => [String(seconds), seconds * SECOND_MS] as const),
  ['1D', DAY_MS],
]);

const volatilityIndex = publicMethod({
  row: ROWS.getVolatilityIndexData,
  params: {
    currency: currencyParam,
    start_timestamp: instantParam('First instant'),
    end_timestamp: instantParam('Last instant'),
    resolution: resolutionParam(RESOLUTIONS),
  },
  run: ({ orders }, { currency, start_timestamp: from, end_timestamp: end, resolution }) =>
    looked(async () => {
      const found = indexOf(orders, currency);
      if (found === undefined) return done({ data: [], continuation: null });
      const query = { index: found.index, from, until: later(end, 1), everyMs: resolution };
      const bars = await found.market.history('volatility', query);
      if (bars === undefined) return notKept();
      const first = bars[0]?.at ?? from;
      return done({
        data: bars.map(({ at, open, high, low, close }) => [
          at,
          ...[open, high, low, close].map((value) => modelNumber(value, 2)),
        ]),
        continuation: bars.length >= BARS_MAX && first > from ? first - 1 : null,
      });
    }),
});

/** As many as a market gives at once: then there may be earlier ones. */
const BARS_MAX = 1_000;

type Traded = 'calls' | 'puts' | 'futures' | 'spot';

type TradedTerms = Pick<Instrument, 'kind' | 'option'> | Pick<NameTerms, 'kind' | 'option'>;

const tradedAs = ({ kind, option }: TradedTerms): Traded => {
  if (option !== undefined) return option.type === 'call' ? 'calls' : 'puts';
  return kind === 'spot' ? 'spot' : 'futures';
};

/** What a volume of the instrument traded: of a combo that of each leg. */
function tradedOf(
  { kind, option, legs }: Instrument,
  volume: Quantity,
): readonly (readonly [Traded, Quantity])[] {
  if (legs === undefined) return [[tradedAs({ kind, option }), volume]];
  return legs.map(({ instrument, ratio }) => [
    tradedAs(nameTerms(instrument) ?? { kind: 'future' }),
    steps(volume, Math.abs(ratio)),
  ]);
}

async function volumesOf(orders: Desks, extended: boolean): Promise<ReadyJson> {
  const sums = new Map<string, Record<Traded, Quantity>>();
  const routed = new Set<string>();
  const add = (instrument: Instrument, ticker: Ticker): void => {
    const zero = ZERO_QUANTITY;
    const none = { calls: zero, puts: zero, futures: zero, spot: zero };
    const of = sums.get(instrument.settlement) ?? none;
    const sum = { ...of };
    for (const [traded, volume] of tradedOf(instrument, baseVolume(instrument, ticker))) {
      sum[traded] = plus(sum[traded], volume);
    }
    sums.set(instrument.settlement, sum);
    if (instrument.isRouted === true) routed.add(instrument.settlement);
  };
  await eachTicker(orders, () => true, add);
  const rows = [...sums].map(([currency, { calls, puts, futures, spot }]) => {
    const over = (suffix: string) => ({
      [`calls_volume${suffix}`]: volumeNumber(calls),
      [`puts_volume${suffix}`]: volumeNumber(puts),
      [`futures_volume${suffix}`]: volumeNumber(futures),
      ...(!routed.has(currency) && { [`spot_volume${suffix}`]: volumeNumber(spot) }),
    });
    return { currency, ...over(''), ...(extended && { ...over('_7d'), ...over('_30d') }) };
  });
  return new ReadyJson(Buffer.from(JSON.stringify(rows)));
}

const tradeVolumes = publicMethod({
  row: ROWS.getTradeVolumes,
  params: { extended: optionalOr(flagParam('With 7 and 30 days'), false) },
  run: ({ orders, now }, { extended }) =>
    looked(async () => {
      const question = { of: `volumes ${extended}`, now: now() };
      return done(await sharedAnswer(orders, question, () => volumesOf(orders, extended)));
    }),
});

export const DERIBIT_VOLATILITY_METHODS: readonly DeribitMethod[] = [
  realised,
  volatilityIndex,
  tradeVolumes,
];
