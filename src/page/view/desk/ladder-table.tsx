// The book as a ladder: sizes to sell above, sizes to buy below, own orders next to the levels they stand in, and the last
// trades.

import type { BookRecord, LevelPair } from '../../model/desk/book.ts';
import type { OwnOrder } from '../../model/desk/followed-orders.ts';
import { bookShown, ladder, type TapeRow } from '../../model/desk/ladder.ts';
import { timeText } from '../../model/formatting.ts';
import type { Shown } from '../../model/panel-state.ts';
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

function BookTable({ book, own }: BookProps) {
  const asks = book.asks.slice(0, LEVELS).toReversed();
  const bids = book.bids.slice(0, LEVELS);
  const most = Math.max(...[...asks, ...bids].map(([, amount]) => Number(amount)), 0);
  return (
    <table>
      <thead>
        <tr>
          <th scope="col" class="number">
            Own
          </th>
          <th scope="col" class="number">
            Size
          </th>
          <th scope="col" class="number">
            Price
          </th>
          <th scope="col">Side</th>
        </tr>
      </thead>
      <tbody>
        {asks.map((level) => (
          <LevelRow key={`a${level[0]}`} level={level} side="sell" own={own} most={most} />
        ))}
        {bids.map((level) => (
          <LevelRow key={`b${level[0]}`} level={level} side="buy" own={own} most={most} />
        ))}
      </tbody>
    </table>
  );
}

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
            <td class={side === 'buy' ? 'good' : 'bad'}>{side === 'buy' ? '▲ buy' : '▼ sell'}</td>
            <td class="number">{quantity}</td>
            <td class="number">{price}</td>
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
}

function LevelRow({ level: [price, amount], side, own, most }: LevelProps) {
  const here = own.filter((one) => one.side === side && Number(one.price) === Number(price));
  const fill = useShownPrice();
  return (
    <tr>
      <td class="number own">
        {here.map(({ orderId, quantity, filledQuantity }) => (
          <span key={orderId}>
            {filledQuantity === '0' ? quantity : `${quantity} (${filledQuantity} filled)`}{' '}
          </span>
        ))}
      </td>
      <td class="number">
        <meter min={0} max={most} value={Number(amount)} aria-hidden="true" /> {amount}
      </td>
      <td class="number">
        <button type="button" aria-label={`Use the price ${price}`} onClick={() => fill(price)}>
          {price}
        </button>
      </td>
      <td class={side === 'buy' ? 'good' : 'bad'}>{side === 'buy' ? 'bid' : 'ask'}</td>
    </tr>
  );
}
