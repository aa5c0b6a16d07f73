// Shows Block RFQs, quotes and block trades as tables and lines.
import type { z } from 'zod';
import type { blockTradeSchema } from '../../../gateway/order-api/block-rfq/block-trade-view.ts';
import type { quoteSchema } from '../../../gateway/order-api/block-rfq/rfq-quote-view.ts';
import type { rfqSchema } from '../../../gateway/order-api/block-rfq/rfq-view.ts';
import { durationText, paint } from '../terminal/paint.ts';
import { CSV_ONLY, type SheetColumn, sheetTable } from '../terminal/sheet.ts';
import { amountColumn, textColumn, timeColumn } from '../terminal/sheet-columns.ts';
import { type ZoneName, zonedClock } from '../terminal/time-zone.ts';

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

export const rfqColumns = (nowMs: number, zone: ZoneName): readonly SheetColumn<RfqView>[] => [
  textColumn(['rfq', 'RFQ', 0], (rfq) => rfq.blockRfqId),
  textColumn(['role', 'role', 3], (rfq) => rfq.role),
  {
    ...textColumn<RfqView>(['status', 'status', 0], (rfq) => rfq.status),
    shown: (rfq) => statusText(rfq.status),
  },
  amountColumn(['quantity', 'quantity', 1], (rfq) => rfq.quantity),
  {
    ...textColumn<RfqView>(['structure', 'structure', 0], structureText),
    shown: (rfq) => structureText(rfq) + (rfq.hedge === undefined ? '' : paint.dim(' + hedge')),
  },
  levelColumn('bid', (rfq) => rfq.bids),
  levelColumn('ask', (rfq) => rfq.asks),
  amountColumn(['ends_in', 'ends in', 4], (rfq) => leftText(rfq, nowMs)),
  textColumn(['label', 'label', 5], (rfq) => rfq.label),
  timeColumn(['created', 'created', CSV_ONLY], zone, (rfq) => rfq.createdAt),
  timeColumn(['expires', 'expires', CSV_ONLY], zone, (rfq) => rfq.expiresAt),
];

const levelColumn = (
  name: string,
  of: (rfq: RfqView) => RfqView['asks'],
): SheetColumn<RfqView> => ({
  ...textColumn([name, name, 2], (rfq) => of(rfq)?.[0]?.price),
  shown: (rfq) => levelText(of(rfq)),
});

export const quoteColumns = (zone: ZoneName): readonly SheetColumn<QuoteView>[] => [
  textColumn(['quote', 'quote', 0], (quote) => quote.quoteId),
  textColumn(['rfq', 'RFQ', 1], (quote) => quote.blockRfqId),
  {
    ...textColumn<QuoteView>(['side', 'side', 0], (quote) => quote.side),
    shown: (quote) => paintedSide(quote.side),
  },
  amountColumn(['price', 'price', 0], (quote) => quote.price),
  amountColumn(['filled', 'filled', 2], (quote) => quote.filledQuantity),
  amountColumn(['quantity', 'of', 2], (quote) => quote.quantity),
  textColumn(['how', 'how', 4], ({ executionInstruction }) =>
    executionInstruction === 'all_or_none' ? 'all or none' : 'any part',
  ),
  {
    ...textColumn<QuoteView>(['status', 'status', 1], (quote) => quote.status),
    shown: ({ status, statusReason }) =>
      statusText(status) + (statusReason ? paint.dim(` ${statusReason}`) : ''),
  },
  textColumn(['label', 'label', 5], (quote) => quote.label),
  timeColumn(['updated', 'updated', CSV_ONLY], zone, (quote) => quote.lastUpdatedAt),
];

export const rfqTable = (rfqs: readonly RfqView[], nowMs: number, width: number): string =>
  sheetTable(rfqColumns(nowMs, 'UTC'), rfqs, width);

export const quoteTable = (quotes: readonly QuoteView[], width: number): string =>
  sheetTable(quoteColumns('UTC'), quotes, width);

export const tradeTable = (trades: readonly BlockTradeView[], width: number): string =>
  sheetTable(tradeColumns('UTC'), tradeRows(trades), width);

/** The structure, or below it one of its legs. */
export interface BlockTradeRow {
  readonly trade: BlockTradeView;
  readonly leg?: BlockTradeView['trades'][number];
}

export const tradeRows = (trades: readonly BlockTradeView[]): readonly BlockTradeRow[] =>
  trades.flatMap((trade) => [{ trade }, ...trade.trades.map((leg) => ({ trade, leg }))]);

export function tradeColumns(zone: ZoneName): readonly SheetColumn<BlockTradeRow>[] {
  type Column = SheetColumn<BlockTradeRow>;
  /** Not repeated for each leg in a table. */
  const once = (column: Column): Column => {
    const { cell, shown = (row: BlockTradeRow) => cell(row) ?? '' } = column;
    return { ...column, shown: (row) => (row.leg === undefined ? shown(row) : '') };
  };
  const at = timeColumn<BlockTradeRow>(['at', 'at', 4], zone, ({ trade }) => trade.timestamp);
  return [
    once({ ...at, shown: ({ trade }) => zonedClock(trade.timestamp, zone) }),
    once(textColumn(['block_trade', 'block trade', 1], ({ trade }) => trade.blockTradeId)),
    once(textColumn(['rfq', 'RFQ', 3], ({ trade }) => trade.blockRfqId)),
    {
      ...textColumn(['side', 'side', 0], ({ trade, leg }) => (leg ?? trade).side),
      shown: ({ trade, leg }) => paintedSide((leg ?? trade).side),
    },
    amountColumn(['quantity', 'quantity', 0], ({ trade, leg }) => (leg ?? trade).quantity),
    {
      ...textColumn(['instrument', 'instrument', 0], ({ trade, leg }) =>
        leg === undefined ? (trade.comboId ?? 'structure') : leg.instrumentName,
      ),
      shown: ({ trade, leg }) =>
        leg === undefined
          ? paint.bold(trade.comboId ?? 'structure')
          : `  ${leg.instrumentName}${leg.hedge ? paint.dim(' hedge') : ''}`,
    },
    amountColumn(['price', 'price', 0], ({ trade, leg }) => (leg ?? trade).price),
    amountColumn(['fee', 'fee', 2], ({ leg }) => leg && `${leg.fee} ${leg.feeCurrency}`),
    once(textColumn(['maker', 'maker', 5], ({ trade }) => trade.maker ?? undefined)),
  ];
}
