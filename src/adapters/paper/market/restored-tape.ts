// Puts the users' trades of a journal back on the public tape. Those of the makers and takers among themselves were not
// written down.
import type { Exchange } from '../../../exchange/exchange.ts';
import type { ExchangeTrade } from '../../../exchange/order.ts';
import type { TapeEntry, TapeMemory } from '../../../exchange/tape/tape-memory.ts';
import type { AccountId } from '../../../values/ids.ts';
import { instant } from '../../../values/instant.ts';
import { opposite } from '../../../values/instrument.ts';
import { ofCombo } from './market-tape.ts';

export function restoreTape(
  memory: TapeMemory,
  exchange: Exchange,
  accounts: readonly AccountId[],
): void {
  const trades = new Map<string, ExchangeTrade>();
  for (const account of accounts) {
    for (const trade of exchange.tradesSince(account, instant(0))) {
      // A trade between two users is on the tape once; a block trade is not. The legs of a combo are trades of their own.
      if (trade.block === undefined) trades.set(trade.tradeId, trade);
    }
  }
  for (const trade of [...trades.values()].sort((a, b) => a.at - b.at)) {
    const entry = restoredEntry(exchange, trade);
    if (entry !== undefined) memory.note(entry);
  }
}

/** `undefined` for a trade of an instrument that is no longer known. */
function restoredEntry(exchange: Exchange, trade: ExchangeTrade): TapeEntry | undefined {
  const { tradeId, tradeSeq, instrument, tickDirection, at, side, price } = trade;
  const grid = exchange.grid(instrument);
  const lots = grid?.lotsOf(trade.quantity);
  if (grid === undefined || lots === undefined) return undefined;
  const wasTaker = trade.liquidity === 'taker' && !trade.wasHidden;
  const legs = trade.legs?.flatMap((leg) => restoredEntry(exchange, leg) ?? []);
  const index = trade.indexPrice;
  return {
    print: {
      kind: 'print',
      at,
      instrument,
      tradeId,
      tradeSeq,
      lots,
      tickDirection,
      // The price of a leg may be off the grid of its own book.
      priceTicks: Math.round(grid.exactTicks(price)),
      side: wasTaker ? side : opposite(side),
      ...(trade.liquidation && { liquidation: trade.liquidation }),
      ...(trade.ofCombo && { ofCombo: { ...trade.ofCombo, price } }),
    },
    mark: trade.markPrice,
    index,
    iv: trade.iv,
    ...(legs && ofCombo(exchange, trade, { index, legs })),
  };
}
