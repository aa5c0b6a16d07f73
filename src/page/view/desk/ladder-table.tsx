// The book as a ladder: asks above and bids below the spread, the size of each level as a bar that begins at its price, own
// orders next to the levels they stand in, and the last trades.

import { atPlaces, grouped, placesOf } from '../../../values/text/written-figures.ts';
import { type BookRecord, depthOf, type LevelPair, spreadOf } from '../../model/desk/book.ts';
import type { OwnOrder } from '../../model/desk/followed-orders.ts';
import { bookShown, details, ladder, type TapeRow } from '../../model/desk/ladder.ts';
import { figure, percent, timeText } from '../../model/formatting.ts';
import type { Shown } from '../../model/panel-state.ts';
import { SideWord } from '../bars.tsx';
import { None, PanelFreshness } from '../panel-freshness.tsx';
import { useShownPrice } from './order-form.tsx';

const LEVELS = 10;

interface LadderProps {
  readonly name: string;
  /** Working ones of every instrument. */
  readonly orders: readonly OwnOrder[];
}

export function LadderTable({ name, orders }: LadderProps) {
  const { book, tape } = ladder.value;
  const shown = bookShown.value;
  const own = orders.filter(({ instrumentName }) => instrumentName === name);
  return (
    <section
      class={`sheet ladder${shown.kind === 'stale' ? ' stale' : ''}`}
      aria-labelledby="ladder-title"
    >
      <h2 id="ladder-title">Book of {name}</h2>
      <PanelFreshness shown={shown} />
      {book !== undefined && <BookTable book={book} own={own} />}
      <h3>Last trades</h3>
      <LastTrades tape={tape} shown={shown} />
    </section>
  );
}

interface BookProps {
  readonly book: BookRecord;
  /** Working orders in this instrument. */
  readonly own: readonly OwnOrder[];
}

const HEADS = ['Own', 'Size', 'Price', 'Total'] as const;

function BookTable({ book, own }: BookProps) {
  const [asks, bids] = [book.asks.slice(0, LEVELS), book.bids.slice(0, LEVELS)];
  const [askTotals, bidTotals] = [depthOf(asks), depthOf(bids)];
  const most = Math.max(...[...asks, ...bids].map(([, amount]) => Number(amount)), 0);
  const row =
    (side: 'buy' | 'sell', totals: readonly string[]) => (level: LevelPair, at: number) => (
      <LevelRow
        key={`${side} ${level[0]}`}
        level={level}
        side={side}
        own={own}
        most={most}
        total={totals[at] ?? ''}
      />
    );
  return (
    <table>
      <thead>
        <tr>
          {HEADS.map((head) => (
            <th key={head} scope="col" class={`number ${head.toLowerCase()}`}>
              {head}
            </th>
          ))}
          <th scope="col">Side</th>
        </tr>
      </thead>
      <tbody>
        {asks.map(row('sell', askTotals)).toReversed()}
        <SpreadRow book={book} />
        {bids.map(row('buy', bidTotals))}
      </tbody>
    </table>
  );
}

function SpreadRow({ book }: { readonly book: BookRecord }) {
  const spread = spreadOf(book);
  const places = ticks();
  const mark = ladder.value.ticker?.markPrice;
  const missing = book.bids.length === 0 ? 'no bids' : 'no asks';
  return (
    <tr class="spread">
      <td colSpan={HEADS.length + 1}>
        {spread === undefined
          ? `no spread: ${missing}`
          : `spread ${grouped(spread.width)}${spread.bps === undefined ? '' : ` (${figure(spread.bps, 1)} bp)`} · mid ${figure(spread.mid, (places ?? 0) + 1)}`}
        {mark !== undefined && ` · mark ${atPlaces(mark, places)}`}
      </td>
    </tr>
  );
}

/** Decimals of the prices of the instrument that is shown; `undefined`: not known yet. */
const ticks = (): number | undefined => details.value && placesOf(details.value.tickSize);

interface TapeProps {
  readonly tape: readonly TapeRow[];
  readonly shown: Shown<unknown>;
}

function LastTrades({ tape, shown }: TapeProps) {
  if (tape.length === 0) return <None shown={shown}>None since the page was opened.</None>;
  return (
    <table aria-label="Last trades">
      <tbody>
        {tape.map(({ tradeId, timestamp, side, price, quantity }) => (
          <tr key={tradeId}>
            <td>{timeText(timestamp)}</td>
            <td>
              <SideWord side={side} />
            </td>
            <td class="number">{grouped(quantity)}</td>
            <td class="number">{atPlaces(price, ticks())}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface LevelProps {
  readonly level: LevelPair;
  readonly side: 'buy' | 'sell';
  readonly own: readonly OwnOrder[];
  /** The largest size shown. */
  readonly most: number;
  /** Size of this level and of the better ones. */
  readonly total: string;
}

function LevelRow({ level: [price, amount], side, own, most, total }: LevelProps) {
  const here = own.filter((one) => one.side === side && Number(one.price) === Number(price));
  const fill = useShownPrice();
  const share = most > 0 ? Number(amount) / most : 0;
  const shown = atPlaces(price, ticks());
  return (
    <tr class={side}>
      <td class="number own">
        {here.map(({ orderId, quantity, filledQuantity }) => (
          <span key={orderId}>
            {filledQuantity === '0'
              ? grouped(quantity)
              : `${grouped(quantity)} (${grouped(filledQuantity)} filled)`}{' '}
          </span>
        ))}
      </td>
      <td class="number size">
        <span class="depth" style={{ width: percent(share) }} />
        <span>{grouped(amount)}</span>
      </td>
      <td class="number">
        <button type="button" aria-label={`Use the price ${shown}`} onClick={() => fill(price)}>
          {shown}
        </button>
      </td>
      <td class="number total">{grouped(total)}</td>
      <td class="which">{side === 'buy' ? 'bid' : 'ask'}</td>
    </tr>
  );
}
