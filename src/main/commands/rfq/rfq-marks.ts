// Prices around the mark prices of an RFQ's legs, on their tick grids, for makers that want to try quoting.
import { larger, onStep, price, ratioOf, scaled, text } from '../../../values/amounts.ts';
import type { RfqDaemon } from './rfq-daemon.ts';
import type { RfqView } from './rfq-text.ts';

interface Prices {
  readonly buy: readonly string[];
  readonly sell: readonly string[];
}

/** A bid pays less for what the structure buys and asks more for what it sells. */
export async function pricesAround(
  daemon: RfqDaemon,
  { legs }: RfqView,
  percent: number,
): Promise<Prices> {
  const buy: string[] = [];
  const sell: string[] = [];
  for (const { instrumentName, side } of legs) {
    const [ticker, instrument] = await Promise.all([
      daemon.query<{ readonly markPrice: string }>('public/ticker', { instrumentName }),
      daemon.query<{ readonly tickSize: string }>('public/get_instrument', { instrumentName }),
    ]);
    const at = { mark: ticker.markPrice, tick: instrument.tickSize };
    const [low, high] = [onGrid(at, 1 - percent / 100), onGrid(at, 1 + percent / 100)];
    buy.push(side === 'buy' ? low : high);
    sell.push(side === 'buy' ? high : low);
  }
  return { buy, sell };
}

/** Rounds away from the mark price: down if below it, up if above it; at least one tick. */
function onGrid(
  { mark, tick }: { readonly mark: string; readonly tick: string },
  by: number,
): string {
  const step = price(tick);
  const wanted = scaled(price(mark), ratioOf(by));
  return text(larger(step, onStep(wanted, step, by < 1 ? 'down' : 'up')));
}
