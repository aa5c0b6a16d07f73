// The options of one expiry, calls on the left and puts on the right of their strikes, with bid, ask, implied volatility and
// delta. A press on a bid sells, on an ask buys.
import type { Instrument, Strike, Ticker } from '../../model/instruments/option-chain.ts';
import { tickers, useTickers } from '../../model/instruments/tickers.ts';

/** `side`: of the price that was pressed; absent: the instrument by itself. */
export type Pick = (instrument: Instrument, side?: 'BUY' | 'SELL') => void;

interface ChainProps {
  readonly strikes: readonly Strike[];
  readonly onPick: Pick;
}

export function ChainTable({ strikes, onPick }: ChainProps) {
  const names = strikes.flatMap(({ call, put }) =>
    [call, put].flatMap((one) => one?.instrumentName ?? []),
  );
  useTickers(names);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the focus
    <section class="scrolls chain" aria-label="Chain" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="colgroup" colSpan={4}>
              Calls
            </th>
            <td />
            <th scope="colgroup" colSpan={4}>
              Puts
            </th>
          </tr>
          <tr>
            {['Delta', 'IV', 'Bid', 'Ask', 'Strike', 'Bid', 'Ask', 'IV', 'Delta'].map(
              (name, at) => (
                <th key={at} scope="col" class="number">
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {strikes.map(({ strike, call, put }) => (
            <tr key={strike}>
              <Figures of={call} />
              <Prices of={call} onPick={onPick} />
              <th scope="row" class="number">
                {strike}
              </th>
              <Prices of={put} onPick={onPick} />
              <Figures of={put} isMirrored={true} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const tickerOf = (of: Instrument | undefined): Ticker | undefined =>
  of && tickers.value.get(of.instrumentName);

function Figures({
  of,
  isMirrored = false,
}: {
  readonly of: Instrument | undefined;
  readonly isMirrored?: boolean;
}) {
  const seen = tickerOf(of);
  const delta = <td class="number">{rounded(seen?.greeks?.delta, 2)}</td>;
  const volatility = <td class="number">{rounded(seen?.markIv, 1)}</td>;
  return isMirrored ? (
    <>
      {volatility}
      {delta}
    </>
  ) : (
    <>
      {delta}
      {volatility}
    </>
  );
}

function Prices({ of, onPick }: { readonly of: Instrument | undefined; readonly onPick: Pick }) {
  if (of === undefined) return <td colSpan={2} />;
  const seen = tickerOf(of);
  return (
    <>
      <td class="number">
        <PriceButton of={of} side="SELL" price={seen?.bestBidPrice} onPick={onPick} />
      </td>
      <td class="number">
        <PriceButton of={of} side="BUY" price={seen?.bestAskPrice} onPick={onPick} />
      </td>
    </>
  );
}

export function PriceButton({
  of,
  side,
  price,
  onPick,
}: {
  readonly of: Instrument;
  readonly side: 'BUY' | 'SELL';
  /** `undefined`: not read yet; null: nobody offers one. */
  readonly price: string | null | undefined;
  readonly onPick: Pick;
}) {
  const verb = side === 'BUY' ? 'Buy' : 'Sell';
  const at = price === null || price === undefined ? '' : ` at ${price}`;
  return (
    <button
      type="button"
      class={side === 'BUY' ? 'price ask' : 'price bid'}
      aria-label={`${verb} ${of.instrumentName}${at}`}
      onClick={() => onPick(of, side)}
    >
      {price === undefined ? '…' : (price ?? '–')}
    </button>
  );
}

/** For display. */
const rounded = (text: string | undefined, places: number): string =>
  text === undefined ? '' : Number(text).toFixed(places);
