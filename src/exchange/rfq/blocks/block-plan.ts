// The plan of an accept, made before anything is booked: a block for each maker, with the price and size of
// each leg. Everything that can fail fails here.
import { type Money, type Price, type Quantity, steps } from '../../../values/amounts.ts';
import { must } from '../../../values/assert.ts';
import { opposite, type Side } from '../../../values/instrument.ts';
import type { ExchangeState } from '../../exchange-state.ts';
import { feeCurrencyOf } from '../../model/fees.ts';
import type { Listing } from '../../model/instruments/listing.ts';
import { fittedLegs } from '../../structures/leg-prices.ts';
import { rangesOf } from '../quote-checks.ts';
import { type Rfq, type RfqSeat, seatOf } from '../rfq.ts';
import { sharedOut } from '../shares.ts';
import type { BestQuotes, Taken } from './best-quotes.ts';
import { blockFee } from './block-terms.ts';

export interface PlannedRow {
  readonly listing: Listing;
  /** The taker's. */
  readonly side: Side;
  readonly lots: number;
  readonly price: Price;
  readonly quantity: Quantity;
  readonly takerFee: Money;
  readonly makerFee: Money;
  readonly feeCurrency: ReturnType<typeof feeCurrencyOf>;
  readonly isHedge: boolean;
}

export interface PlannedBlock {
  readonly seat: RfqSeat;
  readonly units: number;
  readonly hedgeLots: number;
  readonly taken: readonly Taken[];
  readonly rows: readonly PlannedRow[];
}

/** `undefined` if leg prices inside their bands no longer add up to the price. */
export function plannedBlocks(
  state: ExchangeState,
  rfq: Rfq,
  { side, best }: { readonly side: Side; readonly best: BestQuotes },
): readonly PlannedBlock[] | undefined {
  const shares = sharesOf(rfq, best.taken);
  const taken = shares.map(({ units }) => units);
  const untaken = rfq.units - taken.reduce((sum, units) => sum + units, 0);
  const hedgeLots = sharedOut(rfq.hedge?.lots ?? 0, [...taken, untaken]);
  const blocks: PlannedBlock[] = [];
  for (const [at, share] of shares.entries()) {
    const legTicks = fittedLegs({
      legs: rfq.legs,
      from: must(share.taken[0], 'a share has a quote').quote.legTicks,
      ranges: rangesOf(state, rfq.legs),
      target: best.ticks,
    });
    if (legTicks === undefined) return undefined;
    const size = { units: share.units, hedgeLots: hedgeLots[at] ?? 0 };
    blocks.push({ ...share, ...size, rows: rowsOf(state, rfq, { side, legTicks, ...size }) });
  }
  return blocks;
}

type Share = Pick<PlannedBlock, 'seat' | 'units' | 'taken'>;

/** One share per maker, in the order in which their quotes were taken. */
function sharesOf(rfq: Rfq, taken: readonly Taken[]): readonly Share[] {
  const makers = [...new Set(taken.map(({ quote }) => quote.maker))];
  return makers.map((maker) => {
    const own = taken.filter(({ quote }) => quote.maker === maker);
    const units = own.reduce((sum, { units: part }) => sum + part, 0);
    return { seat: must(seatOf(rfq, maker), 'a quoting maker has a seat'), units, taken: own };
  });
}

interface Size {
  readonly side: Side;
  readonly legTicks: readonly number[];
  readonly units: number;
  readonly hedgeLots: number;
}

function rowsOf(state: ExchangeState, rfq: Rfq, size: Size): readonly PlannedRow[] {
  const { side, legTicks, units, hedgeLots } = size;
  const listed = (asListed: Side): Side => (side === 'buy' ? asListed : opposite(asListed));
  const rows = rfq.legs.map((leg, at) =>
    rowOf(must(state.listings.get(leg.instrument), 'legs are listed'), {
      side: listed(leg.side),
      lots: units * leg.lots,
      price: steps(leg.tick, legTicks[at] as number),
      isHedge: false,
    }),
  );
  const { hedge } = rfq;
  if (hedge === undefined || hedgeLots === 0) return rows;
  const listing = must(state.listings.get(hedge.instrument), 'a hedge is listed');
  const { price } = hedge;
  const row = { side: listed(hedge.side), lots: hedgeLots, price, isHedge: true };
  return [...rows, rowOf(listing, row)];
}

function rowOf(
  listing: Listing,
  row: Pick<PlannedRow, 'side' | 'lots' | 'price' | 'isHedge'>,
): PlannedRow {
  const { instrument, grid, reference } = listing;
  const quantity = grid.quantityOf(row.lots);
  const fill = { price: row.price, quantity, index: reference?.index };
  return {
    ...row,
    listing,
    quantity,
    takerFee: blockFee(instrument, { ...fill, liquidity: 'taker' }),
    makerFee: blockFee(instrument, { ...fill, liquidity: 'maker' }),
    feeCurrency: feeCurrencyOf(instrument),
  };
}
