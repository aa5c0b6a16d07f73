// Stretches of the paper market, as its exchange shows them: the best prices after each update and the public tape.
import { Exchange } from '../../src/exchange/exchange.ts';
import { type MarketSettings, seededMarket } from '../../src/exchange/market/market.ts';
import { toNumber } from '../../src/values/amounts.ts';
import { must } from '../../src/values/assert.ts';
import { type InstrumentName, instrumentName } from '../../src/values/ids.ts';
import { HOUR_MS, type Instant, later, MINUTE_MS, utcInstant } from '../../src/values/instant.ts';
import type { Print, Series, Touch } from './series.ts';

export const START: Instant = utcInstant({ year: 2026, month: 1, day: 12, hour: 12 });
/** Enough markets and days that the calm and the volatile are in proportion: three of each were mostly calm. */
export const SEEDS = [...'abcdefghijklmnop'];
const HOURS = [0, 163, 326, 597] as const;
const PIECE_MS = 6 * MINUTE_MS;
const STEP_MS = 250;
/** More than the commands of one step of a book. */
const PLACES = 1_000;

export type Regime = Omit<MarketSettings, 'seed' | 'startAt'>;

/** 64 stretches of six minutes. */
export function generatedSeries(symbol: string, settings: Regime): readonly Series[] {
  const name = instrumentName(symbol);
  return SEEDS.flatMap((seed) =>
    HOURS.map((hour) => stretch(name, later(START, hour * HOUR_MS), { seed, ...settings })),
  );
}

function stretch(
  name: InstrumentName,
  from: Instant,
  settings: Omit<MarketSettings, 'startAt'>,
): Series {
  const market = seededMarket({ ...settings, startAt: START });
  const exchange = new Exchange({ instruments: [], accounts: [] });
  const { amountUnit, amountStep, tickSize } = must(market.instrument(name, from), name);
  const [lot, tick] = [toNumber(amountStep), toNumber(tickSize)];
  const usdOf = (amount: number, price: number): number =>
    amountUnit === 'usd' ? amount : amount * price;
  for (const command of market.start(name, from)) exchange.handle(command);
  exchange.drainEvents();
  const touches: Touch[] = [];
  const prints: Print[] = [];
  for (let now = from; now < from + PIECE_MS; now = later(now, STEP_MS)) {
    for (const [place, command] of market.step(now).entries()) {
      exchange.handle(command);
      // The takers of a step are apart, as in a recording.
      const atMs = now + place / PLACES;
      for (const event of exchange.drainEvents()) {
        if (event.kind !== 'print') continue;
        const { side, lots, priceTicks } = event;
        const price = priceTicks * tick;
        prints.push({ atMs, side: side === 'buy' ? 1 : -1, price, usd: usdOf(lots * lot, price) });
      }
      const { bid, ask } = exchange.best(name);
      if (bid === undefined || ask === undefined) continue;
      const [bidPrice, askPrice] = [toNumber(bid.price), toNumber(ask.price)];
      touches.push({
        atMs,
        bid: bidPrice,
        ask: askPrice,
        bidUsd: usdOf(toNumber(bid.quantity), bidPrice),
        askUsd: usdOf(toNumber(ask.quantity), askPrice),
      });
    }
  }
  return { fromMs: from, untilMs: from + PIECE_MS, tick, touches, prints };
}
