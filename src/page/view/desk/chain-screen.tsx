// The option chain: expiries as tabs, calls to the left of the strikes and puts to the right; where there is no room for both,
// one of them.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { areChannelsLive } from '../../link/channel-socket.ts';
import {
  CHAIN_CURRENCIES,
  type ChainRow,
  type ChainSide,
  chainRows,
  chosenExpiry,
  currency,
  expiries,
  expiry,
  followedNames,
  followTickers,
  forward,
  options,
} from '../../model/desk/chain.ts';
import { ladderAddress } from '../../model/desk/ladder.ts';
import { positions, sizeOf } from '../../model/desk/positions.ts';
import { useReadings } from '../../model/operations/reading.ts';

const LISTED = [options];
const HELD = [positions];
const LISTED_EVERY_MS = 30_000;

const shown = signal<'calls' | 'puts'>('calls');

const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export function ChainScreen() {
  useReadings(LISTED, LISTED_EVERY_MS);
  useReadings(HELD);
  const names = followedNames.value;
  useEffect(() => followTickers(names), [names]);
  return (
    <div class="screen chain">
      <h1>Option chain</h1>
      <div class="choose">
        <label>
          Currency{' '}
          <select
            value={currency.value}
            onChange={({ currentTarget: { value } }) => {
              currency.value = CHAIN_CURRENCIES.find((one) => one === value) ?? 'BTC';
              void options.read();
            }}
          >
            {CHAIN_CURRENCIES.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <fieldset class="tabs" aria-label="Expiry">
          {expiries.value.map((ms) => (
            <button
              key={ms}
              type="button"
              aria-pressed={ms === expiry.value}
              onClick={() => {
                chosenExpiry.value = ms;
              }}
            >
              {dayText(ms)}
            </button>
          ))}
        </fieldset>
        <fieldset class="tabs sides" aria-label="Side">
          {(['calls', 'puts'] as const).map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === shown.value}
              onClick={() => {
                shown.value = name;
              }}
            >
              {name === 'calls' ? 'Calls' : 'Puts'}
            </button>
          ))}
        </fieldset>
        <span class="count">
          {forward.value !== undefined && `forward ${forward.value}`}
          {!areChannelsLive.value && <span class="bad"> ▲ prices are not live</span>}
        </span>
      </div>
      {options.fault.value !== '' && <p class="bad">Not read: {options.fault.value}</p>}
      <Chain />
    </div>
  );
}

function Chain() {
  const rows = chainRows.value;
  if (options.value.value === undefined) return <p role="status">Being read.</p>;
  if (rows.length === 0) return <p class="none">No options in trading.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section class={`scrolls only-${shown.value}`} aria-label="Chain, table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="colgroup" colSpan={6} class="calls">
              Calls
            </th>
            <td />
            <th scope="colgroup" colSpan={6} class="puts">
              Puts
            </th>
          </tr>
          <tr>
            <Heads of="calls" />
            <th scope="col" class="number strike">
              Strike
            </th>
            <Heads of="puts" />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.strike} row={row} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

const HEADS = ['Own', 'Open interest', 'Delta', 'IV', 'Bid', 'Ask'];

function Heads({ of }: { readonly of: 'calls' | 'puts' }) {
  const names = of === 'calls' ? HEADS : HEADS.toReversed();
  return (
    <>
      {names.map((name) => (
        <th key={name} scope="col" class={`number ${of}`}>
          {name}
        </th>
      ))}
    </>
  );
}

function Row({ row: { strike, call, put } }: { readonly row: ChainRow }) {
  return (
    <tr>
      <SideCells side={call} of="calls" />
      <th scope="row" class="number strike">
        {strike}
      </th>
      <SideCells side={put} of="puts" />
    </tr>
  );
}

function SideCells({
  side,
  of,
}: {
  readonly side: ChainSide | undefined;
  readonly of: 'calls' | 'puts';
}) {
  const ticker = side?.ticker;
  const name = side?.instrument.instrumentName ?? '';
  const link = (what: string, text: string | null | undefined) => (
    <a href={ladderAddress(name)} aria-label={`${what} of ${name}: ${text ?? 'none'}`}>
      {text ?? '–'}
    </a>
  );
  const cells = [
    side && sizeOf(name),
    ticker?.openInterest,
    ticker?.greeks?.delta,
    ticker?.markIv,
    side && link('Bid', ticker?.bestBidPrice),
    side && link('Ask', ticker?.bestAskPrice),
  ];
  return (
    <>
      {(of === 'calls' ? cells : cells.toReversed()).map((cell, index) => (
        <td key={index} class={`number ${of}`}>
          {cell}
        </td>
      ))}
    </>
  );
}
