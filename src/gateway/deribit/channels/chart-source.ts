// Deribit's channel of candles: the candle of the present period whenever a trade changes it, once a second at most.
import { type Instant, later, SECOND_MS } from '../../../values/instant.ts';
import { Paced } from '../../order-api/channels/paced.ts';
import { candleJson } from '../market/deribit-history-json.ts';
import type { OpenSource } from './channel-fan-out.ts';
import type { OfMarket } from './market-sources.ts';

export const candles =
  (
    { market, instrument, onFault }: OfMarket,
    { everyMs, now }: { readonly everyMs: number; readonly now: () => Instant },
  ): OpenSource =>
  (publish) => {
    let last: string | undefined;
    const flush = async (): Promise<void> => {
      const at = now();
      const span = { from: at, until: later(at, 1), everyMs };
      const found = await market.history('candles', { instrument: instrument.name, ...span });
      const candle = found?.at(-1);
      const text = candle && JSON.stringify(candleJson(candle));
      if (text === undefined || text === last) return;
      last = text;
      publish(text);
    };
    const paced = new Paced({ intervalMs: SECOND_MS, flush, onFault });
    paced.mark();
    const unfollow = market.follow(instrument.name, (news) => {
      if (news.kind === 'trade') paced.mark();
    });
    const leave = (): void => {
      unfollow();
      paced.stop();
    };
    return { leave, present: () => last, markets: 1 };
  };
