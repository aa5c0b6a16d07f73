// Picks an instrument: from the chain of options by expiry and strike, from the lists of the other kinds, or by name.

import { useEffect, useState } from 'preact/hooks';
import { dateText } from '../../model/formatting.ts';
import { catalogueShown, readCatalogue } from '../../model/instruments/listed-instruments.ts';
import {
  foundByName,
  type Instrument,
  type InstrumentType,
  optionExpiries,
  optionUnderlyings,
  strikesOf,
  typeOf,
} from '../../model/instruments/option-chain.ts';
import { tickers, useTickers } from '../../model/instruments/tickers.ts';
import { None, PanelFreshness } from '../panel-freshness.tsx';
import { Dialog } from '../portfolio/dialog.tsx';
import { ChainTable, type Pick, PriceButton } from './chain-table.tsx';

interface PickerProps {
  readonly onPick: Pick;
  readonly onClose: () => void;
}

const KINDS = [
  ['OPTION', 'Options'],
  ['PERPETUAL', 'Perpetuals'],
  ['DELIVERY_FUTURES', 'Futures'],
  ['SPOT', 'Spot'],
  ['OPTION_COMBO', 'Option combos'],
  ['FUTURE_COMBO', 'Future combos'],
] as const satisfies readonly (readonly [InstrumentType, string])[];

const LISTED_MOST = 40;

export function InstrumentPicker({ onPick, onClose }: PickerProps) {
  const [text, setText] = useState('');
  const [kind, setKind] = useState<InstrumentType>('OPTION');
  useEffect(() => void readCatalogue(), []);
  const shown = catalogueShown.value;
  const all = shown.kind === 'unread' ? undefined : shown.value;
  return (
    <Dialog title="Pick an instrument" onClose={onClose}>
      <div class="picker">
        <div class="choose">
          <input
            type="search"
            aria-label="Search instruments by name"
            placeholder="Search: BTC 29MAY26 90000 C"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <select
            aria-label="Kind of instrument"
            value={kind}
            onChange={(event) => {
              setKind(event.currentTarget.value as InstrumentType);
              setText('');
            }}
          >
            {KINDS.map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
          {all !== undefined && text.trim() === '' && kind === 'OPTION' ? null : (
            <span class="count">A bid sells, an ask buys.</span>
          )}
        </div>
        <PanelFreshness shown={shown} />
        {all === undefined ? null : text.trim() !== '' ? (
          <Listed all={foundByName(all, text)} onPick={onPick} />
        ) : kind === 'OPTION' ? (
          <Chain all={all} onPick={onPick} />
        ) : (
          <Listed
            all={foundByName(all, '').filter((one) => typeOf(one) === kind)}
            onPick={onPick}
          />
        )}
        <div class="acts">
          <button type="button" onClick={onClose}>
            Back
          </button>
        </div>
      </div>
    </Dialog>
  );
}

interface AllProps {
  readonly all: readonly Instrument[];
  readonly onPick: Pick;
}

function Chain({ all, onPick }: AllProps) {
  const underlyings = optionUnderlyings(all);
  const [wantedUnderlying, setUnderlying] = useState('BTC');
  const [wantedExpiry, setExpiry] = useState<number | undefined>(undefined);
  const underlying = underlyings.includes(wantedUnderlying)
    ? wantedUnderlying
    : (underlyings[0] ?? '');
  const expiries = optionExpiries(all, underlying);
  const expiry =
    wantedExpiry !== undefined && expiries.includes(wantedExpiry) ? wantedExpiry : expiries[0];
  return (
    <>
      <div class="choose">
        <select
          aria-label="Underlying"
          value={underlying}
          onChange={(event) => setUnderlying(event.currentTarget.value)}
        >
          {underlyings.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
        <select
          aria-label="Expiry"
          value={expiry}
          onChange={(event) => setExpiry(Number(event.currentTarget.value))}
        >
          {expiries.map((one) => (
            <option key={one} value={one}>
              {dateText(one)}
            </option>
          ))}
        </select>
        <span class="count">A bid sells, an ask buys.</span>
      </div>
      <ChainTable
        key={`${underlying} ${expiry}`}
        strikes={strikesOf(all, underlying, expiry)}
        onPick={onPick}
      />
    </>
  );
}

function Listed({ all, onPick }: AllProps) {
  const shown = all.slice(0, LISTED_MOST);
  useTickers(shown.map(({ instrumentName }) => instrumentName));
  if (all.length === 0) return <None shown={catalogueShown.value}>No instrument matches.</None>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the focus */}
      <section class="scrolls chain-table" aria-label="Instruments" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Instrument</th>
              <th scope="col" class="number">
                Bid
              </th>
              <th scope="col" class="number">
                Ask
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <Line key={one.instrumentName} of={one} onPick={onPick} />
            ))}
          </tbody>
        </table>
      </section>
      {all.length > shown.length && (
        <p class="count">
          {shown.length} of {all.length}: search for more of the name.
        </p>
      )}
    </>
  );
}

function Line({ of, onPick }: { readonly of: Instrument; readonly onPick: Pick }) {
  const seen = tickers.value.get(of.instrumentName);
  return (
    <tr>
      <th scope="row">
        <button type="button" class="price" onClick={() => onPick(of)}>
          {of.instrumentName}
        </button>
      </th>
      <td class="number">
        <PriceButton of={of} side="SELL" price={seen?.bestBidPrice} onPick={onPick} />
      </td>
      <td class="number">
        <PriceButton of={of} side="BUY" price={seen?.bestAskPrice} onPick={onPick} />
      </td>
    </tr>
  );
}
