// Fills an RFQ at one price, or leaves everything unchanged. A maker without funds is dropped and the
// remaining quotes are tried again; a taker without funds, or leg prices that no longer fit their bands,
// abort the fill.
import type { Money, Price } from '../../../values/amounts.ts';
import { text } from '../../../values/amounts.ts';
import { must } from '../../../values/assert.ts';
import type { Side } from '../../../values/instrument.ts';
import { signOf } from '../../../values/instrument.ts';
import { assertProgress } from '../../../values/progress.ts';
import type { ExchangeState } from '../../exchange-state.ts';
import type { Rfq, RfqFill } from '../rfq.ts';
import { endQuote, endRfq } from '../rfq-end.ts';
import { sharedOut, sharedOutInRounds } from '../shares.ts';
import { type BestQuotes, bestQuotes, isWithin } from './best-quotes.ts';
import { canCarry, makersRows, takersRows } from './block-funds.ts';
import { type PlannedBlock, plannedBlocks } from './block-plan.ts';
import type { BlockTrade } from './block-trade.ts';
import { bookBlock } from './book-block.ts';

export interface Acceptance {
  /** The taker's. */
  readonly side: Side;
  /** The worst acceptable price. */
  readonly ticks: number;
}

export type Execution =
  | { readonly kind: 'filled'; readonly trades: readonly BlockTrade[] }
  | { readonly kind: 'unfilled' | 'no_funds' | 'no_leg_prices' };

export function executeRfq(state: ExchangeState, rfq: Rfq, accept: Acceptance): Execution {
  const { side, ticks } = accept;
  for (;;) {
    const open = state.rfqs.openQuotes(rfq.number);
    const best = bestQuotes(rfq, open, side);
    if (best === undefined || !isWithin(side, best.ticks, ticks)) return { kind: 'unfilled' };
    const blocks = plannedBlocks(state, rfq, { side, best });
    if (blocks === undefined) return { kind: 'no_leg_prices' };
    const unable = blocks.filter(
      ({ seat, rows }) => !canCarry(state.accounts.get(seat.account), makersRows(rows)),
    );
    if (unable.length === 0) return settled(state, rfq, { side, best, blocks });
    for (const { quote } of unable.flatMap(({ taken }) => taken)) {
      endQuote(state, quote, { status: 'cancelled', reason: 'not_enough_funds', at: state.now });
    }
    const left = state.rfqs.openQuotes(rfq.number).length;
    assertProgress(left < open.length, `the search for makers of RFQ ${rfq.number}`);
  }
}

interface Agreed {
  readonly side: Side;
  readonly best: BestQuotes;
  readonly blocks: readonly PlannedBlock[];
}

function settled(state: ExchangeState, rfq: Rfq, agreed: Agreed): Execution {
  const { side, best, blocks } = agreed;
  const rows = blocks.flatMap((block) => block.rows);
  if (!canCarry(state.accounts.get(rfq.taker), takersRows(rows))) return { kind: 'no_funds' };
  const claims = rfq.allocations.map(({ units }) => units);
  const units = sharedOutInRounds(
    blocks.map((block) => block.units),
    claims,
  );
  const hedgeLots = sharedOutInRounds(
    blocks.map((block) => block.hedgeLots),
    sharedOut(rfq.hedge?.lots ?? 0, claims),
  );
  const trades = blocks.map((block, at) =>
    bookBlock(state, rfq, block, {
      side,
      ticks: best.ticks,
      units: units[at] ?? [],
      hedgeLots: hedgeLots[at] ?? [],
    }),
  );
  closeFilled(state, rfq, { ...agreed, trades });
  return { kind: 'filled', trades };
}

function closeFilled(
  state: ExchangeState,
  rfq: Rfq,
  { side, best, blocks, trades }: Agreed & { readonly trades: readonly BlockTrade[] },
): void {
  for (const { quote, units } of blocks.flatMap(({ taken }) => taken)) {
    const filled = { ...quote, filledUnits: quote.filledUnits + units };
    endQuote(state, filled, { status: 'filled', reason: 'rfq_filled', at: state.now });
  }
  const fills = blocks.map(
    ({ seat, units, hedgeLots }, at): RfqFill => ({
      maker: seat.account,
      side,
      ticks: best.ticks,
      units,
      hedgeLots,
      blockTradeId: must(trades[at], 'each block is booked').id,
    }),
  );
  const marked = { ...markOf(state, rfq), fills };
  endRfq(state, rfq, { status: 'filled', at: state.now, change: marked });
}

/** The structure at the mark prices of its legs, and the indexes they follow. */
function markOf(state: ExchangeState, rfq: Rfq): Partial<Rfq> {
  const indexPrices: Record<string, string> = {};
  let mark: Money | undefined;
  for (const leg of rfq.legs) {
    const listing = must(state.listings.get(leg.instrument), 'legs are listed');
    const { reference, instrument } = listing;
    if (reference === undefined) return {};
    if (reference.index !== undefined) indexPrices[instrument.indexName] = text(reference.index);
    const part = reference.mark.mul(leg.ratio).mul(signOf(leg.side)) as unknown as Money;
    mark = mark === undefined ? part : (mark.plus(part) as Money);
  }
  return { markPrice: mark as unknown as Price, indexPrices };
}
