// Shows Block RFQs, quotes and block trades as tables and lines.
import type { z } from 'zod';
import type { blockTradeSchema } from '../../../gateway/order-api/block-rfq/block-trade-view.ts';
import type { quoteSchema } from '../../../gateway/order-api/block-rfq/rfq-quote-view.ts';
import type { rfqSchema } from '../../../gateway/order-api/block-rfq/rfq-view.ts';
import { clockText, durationText, paint } from '../terminal/paint.ts';
import { tableText } from '../terminal/table.ts';

export type RfqView = z.infer<typeof rfqSchema>;
export type QuoteView = z.infer<typeof quoteSchema>;
export type BlockTradeView = z.infer<typeof blockTradeSchema>;

type Side = 'buy' | 'sell';

export const paintedSide = (side: Side): string =>
  side === 'buy' ? paint.green('BUY') : paint.red('SELL');

/** The name of a known structure, or else its legs. */
export const structureText = ({ comboId, legs }: Pick<RfqView, 'comboId' | 'legs'>): string =>
  comboId ??
  legs
    .map(({ side, ratio, instrumentName }) => `${sign(side)}${ratio} ${instrumentName}`)
    .join(' ');

const sign = (side: Side): string => (side === 'buy' ? '+' : '−');

export function statusText(status: string): string {
  switch (status) {
    case 'open':
    case 'created':
      return paint.cyan(status);
    case 'filled':
      return paint.green(status);
    default:
      return paint.dim(status);
  }
}

const isLive = ({ status }: RfqView): boolean => status === 'open' || status === 'created';

export const leftText = (rfq: RfqView, nowMs: number): string =>
  isLive(rfq) ? durationText(rfq.expiresAt - nowMs) : '';

/** The best price as the taker sees it; empty for a maker. */
export function levelText(levels: RfqView['asks']): string {
  const [level] = levels ?? [];
  if (level === undefined) return '';
  return `${level.price} ${paint.dim(level.makers.join(' '))}`;
}

export function rfqTable(rfqs: readonly RfqView[], nowMs: number): string {
  const columns = [
    { head: 'RFQ' },
    { head: 'role' },
    { head: 'status' },
    { head: 'quantity', align: 'right' },
    { head: 'structure' },
    { head: 'bid' },
    { head: 'ask' },
    { head: 'ends in', align: 'right' },
    { head: 'label' },
  ] as const;
  const rows = rfqs.map((rfq) => [
    rfq.blockRfqId,
    rfq.role,
    statusText(rfq.status),
    rfq.quantity,
    structureText(rfq) + (rfq.hedge === undefined ? '' : paint.dim(' + hedge')),
    levelText(rfq.bids),
    levelText(rfq.asks),
    leftText(rfq, nowMs),
    rfq.label ?? '',
  ]);
  return tableText(columns, rows);
}

export function quoteTable(quotes: readonly QuoteView[]): string {
  const columns = [
    { head: 'quote' },
    { head: 'RFQ' },
    { head: 'side' },
    { head: 'price', align: 'right' },
    { head: 'filled', align: 'right' },
    { head: 'of', align: 'right' },
    { head: 'how' },
    { head: 'status' },
    { head: 'label' },
  ] as const;
  const rows = quotes.map((quote) => [
    quote.quoteId,
    quote.blockRfqId,
    paintedSide(quote.side),
    quote.price,
    quote.filledQuantity,
    quote.quantity,
    quote.executionInstruction === 'all_or_none' ? 'all or none' : 'any part',
    statusText(quote.status) + (quote.statusReason ? paint.dim(` ${quote.statusReason}`) : ''),
    quote.label ?? '',
  ]);
  return tableText(columns, rows);
}

export function tradeTable(trades: readonly BlockTradeView[]): string {
  const columns = [
    { head: 'at (UTC)' },
    { head: 'block trade' },
    { head: 'RFQ' },
    { head: 'side' },
    { head: 'quantity', align: 'right' },
    { head: 'instrument' },
    { head: 'price', align: 'right' },
    { head: 'fee', align: 'right' },
    { head: 'maker' },
  ] as const;
  const rows = trades.flatMap((trade) => [
    [
      clockText(trade.timestamp),
      trade.blockTradeId,
      trade.blockRfqId,
      paintedSide(trade.side),
      trade.quantity,
      paint.bold(trade.comboId ?? 'structure'),
      paint.bold(trade.price),
      '',
      trade.maker ?? '',
    ],
    ...trade.trades.map((row) => [
      '',
      '',
      '',
      paintedSide(row.side),
      row.quantity,
      `  ${row.instrumentName}${row.hedge ? paint.dim(' hedge') : ''}`,
      row.price,
      `${row.fee} ${row.feeCurrency}`,
      '',
    ]),
  ]);
  return tableText(columns, rows);
}
