// A gateway with a market whose portfolios come from a fixed seed, at a fixed time: at work, paused, waiting and ended, of each
// kind of product.
import type {
  LegSummary,
  PortfolioSummary,
} from '../../../src/core/portfolio/summary/portfolio-summary.ts';
import { must } from '../../../src/values/assert.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { rng } from '../../../src/values/rng.ts';
import { NOON } from '../../adapters/paper/paper-stage.ts';
import { perpetualBody } from '../../gateway/gateway-under-test.ts';
import { type OperationsStage, operationsStage } from '../operations-stage.ts';

export const PORTFOLIOS = 16;
const ENDED = 9;
const MINUTE_MS = 60_000;
const NOTES = ['month-end roll', 'hedge of the book', '', 'call overwrite', 'client 4711', ''];
const STRATEGIES = ['basis-carry', 'daily-hedge'];
const ENDS = ['user_request', 'time_limit', 'expired', 'below_minimum'] as const;

/** Instrument, kind, unit of its sizes, its usual size and a price near its market. */
const PRODUCTS = [
  ['BTC-PERPETUAL', 'perpetual', 'USD', 25_000, 99_980.5],
  ['ETH-PERPETUAL', 'perpetual', 'USD', 4_000, 3_351.25],
  ['BTC-25DEC26', 'future', 'USD', 60_000, 101_312.5],
  ['BTC-25DEC26-100000-C', 'option', 'BTC', 3, 0.0415],
] as const;

const random = rng('pictures of the page');
const pick = <T>(values: readonly T[]): T =>
  must(values[Math.floor(random.next() * values.length)], 'the list is not empty');

interface Progress {
  readonly due: number;
  readonly done: number;
  readonly isWaiting: boolean;
}

function leg(template: LegSummary, index: number, { due, done, isWaiting }: Progress): LegSummary {
  const [instrument, kind, unit, size, price] = must(PRODUCTS[index], 'there is such a product');
  const total = size * (1 + Math.floor(random.next() * 40));
  const step = kind === 'option' ? 1 : 10;
  const part = (share: number): number => Math.floor((total * share) / step) * step;
  const filled = part(done);
  const coin = instrument.slice(0, 3);
  const premium = kind === 'option' ? coin : 'USD';
  return {
    ...template,
    instrument,
    kind,
    side: pick(['buy', 'sell'] as const),
    quantity: String(total),
    quantityIn: unit,
    filled: String(filled),
    averagePrice:
      filled === 0
        ? '0'
        : String(Number((price * (1 + random.next() / 400)).toFixed(kind === 'option' ? 7 : 4))),
    scheduled: String(part(due)),
    remaining: String(total - filled),
    outstanding: isWaiting || done === 1 ? '0' : String(step),
    currencies: {
      forCcy: coin,
      domCcy: 'USD',
      markCcy: premium,
      notionalCcy: unit,
      defaultPvCcy: coin,
    },
    ...(isWaiting && { waiting: 'wide_spread' }),
  };
}

function portfolio(template: PortfolioSummary, at: number): PortfolioSummary {
  const hasEnded = at >= PORTFOLIOS;
  const lengthMs = (60 + at * 7) * MINUTE_MS;
  const startAt =
    NOON - (hasEnded ? lengthMs + at * MINUTE_MS : Math.floor(random.next() * 50) * MINUTE_MS);
  const due = hasEnded ? 1 : (NOON - startAt) / lengthMs;
  const isFilled = hasEnded && at % 3 !== 0;
  const done = isFilled ? 1 : due * (0.8 + random.next() * 0.22);
  const progress = { due, done: Math.min(1, done), isWaiting: !hasEnded && random.next() < 0.15 };
  const products = at % 5 === 3 ? [3, 0] : [Math.floor(random.next() * PRODUCTS.length)];
  const [only] = template.legs;
  const strategy = at % 4 === 1 ? pick(STRATEGIES) : undefined;
  return {
    ...template,
    portfolio: portfolioId(String(NOON * 1_000 + at)),
    startAt,
    endAt: startAt + lengthMs,
    durationMs: lengthMs,
    note: pick(NOTES),
    ...(strategy !== undefined && { strategy }),
    submittedAt: startAt - MINUTE_MS,
    updatedAt: hasEnded ? NOON - at * MINUTE_MS : NOON,
    ...(hasEnded && { status: isFilled ? ('filled' as const) : ('cancelled' as const) }),
    ...(hasEnded && !isFilled && { reason: pick(ENDS) }),
    ...(at === 5 && { paused: { by: '7001', at: NOON - 4 * MINUTE_MS } }),
    legs: products.map((product) => leg(must(only, 'it has a leg'), product, progress)),
  };
}

export async function blotterStage(): Promise<OperationsStage> {
  const own = await operationsStage();
  const { gateway } = own.stage;
  await gateway.submit(perpetualBody());
  const { records } = gateway.operations;
  const [template] = records.values();
  records.clear();
  for (let at = 0; at < PORTFOLIOS + ENDED; at += 1) {
    const made = portfolio(must(template, 'it was submitted'), at);
    records.set(made.portfolio, made);
  }
  return own;
}
