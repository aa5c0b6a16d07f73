// The data of the exchange and its market that the simulated makers of Block RFQs can see.
import type { Exchange } from '../../../exchange/exchange.ts';
import type { RfqScene } from '../../../exchange/market/block-makers/rfq-makers.ts';
import type { MarketSource } from '../../../exchange/market/market-source.ts';
import { outlookOf } from '../../../exchange/market/prices/leg-outlook.ts';
import { toNumber } from '../../../values/amounts.ts';

export function rfqScene(exchange: Exchange, market: MarketSource): RfqScene {
  return {
    live: () => exchange.rfqs.live(),
    ownQuotes: (rfq, maker) => exchange.rfqs.ownQuotes(rfq, maker),
    held(maker, name) {
      const lot = exchange.grid(name)?.lot;
      return lot === undefined ? 0 : exchange.inventory(maker, name) * toNumber(lot);
    },
    reference: (name) => exchange.reference(name),
    outlook(name) {
      const own = market.outlook?.(name);
      if (own !== undefined) return own;
      const [instrument, reference] = [exchange.instrument(name), exchange.reference(name)];
      return instrument && reference && outlookOf(instrument, reference);
    },
  };
}
