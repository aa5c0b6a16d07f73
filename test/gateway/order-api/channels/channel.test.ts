// Parses valid and invalid channel names.
import { expect, it } from 'vitest';
import { parseChannel } from '../../../../src/gateway/order-api/channels/channel.ts';

it('valid channel names are parsed, and invalid ones are refused', () => {
  for (const name of [
    'ticker.BTC-PERPETUAL.raw',
    'quote.BTC_USDC-27MAR26-0d625-C',
    'book.ETH-PERPETUAL.agg2',
    'book.ETH-PERPETUAL.5.10.100ms',
    'book.BTC-PERPETUAL.none.20.100ms',
    'trades.option.BTC.100ms',
    'trades.BTC-PERPETUAL.raw',
    'user.orders.any.any.raw',
    'user.trades.future.BTC.100ms',
    'user.changes.BTC-PERPETUAL.raw',
    'user.combo_trades.any.any.raw',
    'user.combo_trades.BTC-FS-25DEC26_PERP.raw',
    'user.portfolio.btc',
    'user.portfolio.any',
  ]) {
    expect(parseChannel(name), name).toBeDefined();
  }
  for (const name of [
    '',
    '.',
    'ticker',
    'ticker.BTC-PERPETUAL',
    'ticker.BTC-PERPETUAL.10ms',
    'ticker.a b.raw',
    'book.BTC-PERPETUAL.3.10.100ms',
    'book.SOL_USDC-PERPETUAL.10.10.100ms',
    'book.BTC-PERPETUAL.none.7.100ms',
    'trades.option.btc.100ms',
    'trades.__proto__.BTC.raw',
    'user.orders',
    'user.constructor.any.any.raw',
    'user.portfolio.*',
  ]) {
    expect(parseChannel(name), name).toBeUndefined();
  }
});
