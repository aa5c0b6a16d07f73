// A public trade as Deribit publishes and answers it: its `direction` is the taker's.

import { type Fields, MalformedMessage } from '../../../ports/deribit-wire/message-fields.ts';
import type { PublicTrade } from '../../../ports/market-history.ts';
import { instrumentName, tradeId } from '../../../values/ids.ts';

const TICKS = [0, 1, 2, 3] as const;

/** Trades of a block are printed, but were never open to others in the book. */
export interface PrintedTrade extends PublicTrade {
  readonly isBlock: boolean;
}

/** @throws MalformedMessage */
export function publicTradeIn(of: Fields): PrintedTrade {
  const tick = of.wholeIf('tick_direction');
  const percent = of.floatIf('iv');
  const combo = of.textIf('combo_id');
  const comboTrade = of.textIf('combo_trade_id');
  return {
    tradeId: tradeId(of.text('trade_id')),
    tradeSeq: of.wholeIf('trade_seq') ?? 0,
    instrument: instrumentName(of.text('instrument_name')),
    side: sideIn(of),
    price: of.price('price'),
    quantity: of.quantity('amount'),
    tickDirection: TICKS.find((one) => one === tick) ?? 1,
    mark: of.priceIf('mark_price'),
    index: of.priceIf('index_price'),
    iv: percent === undefined ? undefined : percent / 100,
    comboId: combo === undefined ? undefined : instrumentName(combo),
    comboTradeId: comboTrade === undefined ? undefined : tradeId(comboTrade),
    legs: of.has('legs') ? of.each('legs').map(publicTradeIn) : undefined,
    at: of.instant('timestamp'),
    isBlock: of.has('block_trade_id') || of.has('block_rfq_id'),
  };
}

function sideIn(of: Fields): PublicTrade['side'] {
  const side = of.word('direction', ['buy', 'sell'] as const, undefined);
  if (side === undefined) throw new MalformedMessage(`${of.what} has no direction`);
  return side;
}
