// Positions with their margin and greeks, and the equity of each account by currency; their totals on top. Amounts of coins are
// as the gateway wrote them, dollars at the index of now.

import { useEffect } from 'preact/hooks';
import { atPlaces, grouped, placesOf } from '../../../values/text/written-figures.ts';
import { DOLLARS, otherSize } from '../../model/blotter-figures.ts';
import {
  ageText,
  dollars,
  figure,
  NO_FIGURE,
  NOT_KNOWN,
  percent,
  signed,
  significant,
} from '../../model/formatting.ts';
import { instrumentOf, readCatalogue } from '../../model/instruments/listed-instruments.ts';
import { indexOf, useReferenceData } from '../../model/instruments/reference-data.ts';
import {
  type CoinGreeks,
  greeksByCoin,
  marginShares,
  sumsByCurrency,
  usdOf,
  usdTotal,
} from '../../model/operations/holding-figures.ts';
import { NEARLY_FULL } from '../../model/operations/limit-shares.ts';
import { useReadings } from '../../model/operations/reading.ts';
import {
  type Balance,
  type Holdings,
  holdings,
  type Position,
} from '../../model/operations/readings.ts';
import { mapShown } from '../../model/panel-state.ts';
import { SideWord } from '../bars.tsx';
import { tickMs } from '../page-clock.ts';
import { Figure, type Said } from '../strip-figure.tsx';
import { type Column, Sheet } from './sheet.tsx';

const READINGS = [holdings];
/** Of greeks in coins. */
const DELTA_PLACES = 4;

const coinOf = (instrument: string): string | undefined => instrumentOf(instrument)?.baseCurrency;

interface AmountProps {
  readonly amount: string;
  /** `undefined`: not known. */
  readonly currency: string | undefined;
}

const number = <T,>(head: string, cell: (row: T) => string | undefined): Column<T> => ({
  head,
  isNumber: true,
  cell: (row) => cell(row) ?? NO_FIGURE,
});

const toneOf = (amount: string): string =>
  amount.startsWith('-') ? 'bad' : /[1-9]/.test(amount) ? 'good' : '';

/** In its currency, with dollars below it. */
function Money({ amount, currency }: AmountProps) {
  const usd = currency === undefined ? undefined : usdOf({ amount, currency }, indexOf);
  return (
    <>
      {grouped(amount)}
      {currency === undefined || !DOLLARS.includes(currency) ? (
        <small>{`≈ ${dollars(usd)}`}</small>
      ) : (
        ''
      )}
    </>
  );
}

/** Coloured by its sign, which it also shows. */
function Profit({ amount, currency }: AmountProps) {
  const sign = /^\d/.test(amount) && /[1-9]/.test(amount) ? '+' : '';
  return (
    <span class={toneOf(amount)}>
      {sign}
      <Money amount={amount} currency={currency} />
    </span>
  );
}

/** Initial margin as a bar with maintenance in it. */
function Margin({ of }: { readonly of: Parameters<typeof marginShares>[0] }) {
  const { initial, maintenance } = marginShares(of);
  if (initial === Infinity || maintenance === Infinity) {
    return <span class="bad">▲ no equity left</span>;
  }
  const tone = initial >= 1 ? 'bad' : initial >= NEARLY_FULL ? 'warn' : '';
  const text = `initial ${percent(initial)}, maintenance ${percent(maintenance)} of equity`;
  return (
    <span class={tone} title={`${text} without the value of options`}>
      <span class={`bars margin ${tone}`} role="img" aria-label={text}>
        <span class="plan" style={{ width: percent(Math.min(1, initial)) }} />
        <span class="fill" style={{ width: percent(Math.min(1, maintenance)) }} />
      </span>
      <small>
        {percent(initial)} initial, {percent(maintenance)} maint.
      </small>
    </span>
  );
}

/** To the tick of its instrument. */
function priceText(instrument: string, price: string | undefined): string | undefined {
  const tick = instrumentOf(instrument)?.tickSize;
  return price && atPlaces(price, tick === undefined ? undefined : placesOf(tick));
}

const settledIn = ({ instrumentName }: Position): string | undefined =>
  instrumentOf(instrumentName)?.settlementCurrency;

function Size({ of: { instrumentName, size } }: { readonly of: Position }) {
  const listed = instrumentOf(instrumentName);
  if (listed === undefined) return <>{grouped(size)}</>;
  const { quantityUnit: unit, baseCurrency: coin } = listed;
  const other = otherSize({ quantity: size, unit, coin }, indexOf);
  return (
    <>
      {grouped(size)}
      <small>
        {unit}
        {other !== undefined &&
          ` ≈ ${other.unit === 'USD' ? dollars(other.value) : `${significant(other.value, 4)} ${other.unit}`}`}
      </small>
    </>
  );
}

/** Of its account in the currency that it is settled in. */
function PositionMargin({ of }: { readonly of: Position }) {
  const shown = holdings.shown.value;
  const balances = shown.kind === 'unread' ? [] : shown.value.balances;
  const own = balances.find(
    ({ accountId, currency }) => accountId === of.account && currency === settledIn(of),
  );
  const { initialMargin, maintenanceMargin } = of;
  if (own === undefined) {
    return (
      <>
        {grouped(initialMargin)}
        <small>{grouped(maintenanceMargin)} maint.</small>
      </>
    );
  }
  return <Margin of={{ initialMargin, maintenanceMargin, marginBalance: own.marginBalance }} />;
}

const greek = (text: string | undefined, places: number): string | undefined =>
  text === undefined ? undefined : atPlaces(text, places);

const gammaText = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : significant(Number(text), 3);

const POSITIONS: readonly Column<Position>[] = [
  {
    head: 'Instrument',
    cell: ({ instrumentName, account }) => (
      <>
        {instrumentName}
        <small>{account}</small>
      </>
    ),
  },
  { head: 'Side', cell: ({ side }) => <SideWord side={side === 'buy' ? 'buy' : 'sell'} isHeld /> },
  { head: 'Size', isNumber: true, cell: (row) => <Size of={row} /> },
  {
    head: 'Average, mark',
    isNumber: true,
    cell: ({ instrumentName, averagePrice, markPrice }) => (
      <>
        {priceText(instrumentName, averagePrice) ?? NO_FIGURE}
        <small>{priceText(instrumentName, markPrice) ?? NO_FIGURE}</small>
      </>
    ),
  },
  {
    head: 'Unrealised',
    isNumber: true,
    cell: (row) => <Profit amount={row.floatingProfitLoss} currency={settledIn(row)} />,
  },
  {
    head: 'P/L',
    isNumber: true,
    cell: (row) => <Profit amount={row.totalProfitLoss} currency={settledIn(row)} />,
  },
  number('Delta', ({ delta }) => greek(delta, DELTA_PLACES)),
  number('Gamma', ({ gamma }) => gammaText(gamma)),
  number('Vega', ({ vega }) => greek(vega, 2)),
  number('Theta', ({ theta }) => greek(theta, 2)),
  { head: 'Margin of equity', cell: (row) => <PositionMargin of={row} /> },
];

const BALANCES: readonly Column<Balance>[] = [
  { head: 'Account', cell: ({ accountId }) => accountId },
  { head: 'Currency', cell: ({ currency }) => currency },
  {
    head: 'Equity',
    isNumber: true,
    cell: ({ equity, currency }) => <Money amount={equity} currency={currency} />,
  },
  number('Balance', ({ balance }) => grouped(balance)),
  number('Available', ({ availableFunds }) => grouped(availableFunds)),
  {
    head: 'Unrealised',
    isNumber: true,
    cell: ({ sessionUpl, currency }) => <Profit amount={sessionUpl} currency={currency} />,
  },
  {
    head: 'Realised',
    isNumber: true,
    cell: ({ sessionRpl, currency }) => <Profit amount={sessionRpl} currency={currency} />,
  },
  {
    head: 'Margin, maintenance',
    isNumber: true,
    cell: ({ initialMargin, maintenanceMargin }) => (
      <>
        {grouped(initialMargin)}
        <small>{grouped(maintenanceMargin)}</small>
      </>
    ),
  },
  { head: 'Margin of equity', cell: (row) => <Margin of={row} /> },
];

const known = (text: string | undefined): string => text ?? NOT_KNOWN;

const COIN_GREEKS: readonly Column<CoinGreeks>[] = [
  { head: 'Coin', cell: ({ coin }) => coin || NOT_KNOWN },
  number('Positions', ({ positions }) => figure(positions)),
  {
    head: 'Net delta',
    isNumber: true,
    cell: ({ coin, sums: { delta } }) => (
      <>
        {known(greek(delta, DELTA_PLACES))}
        <small>
          {delta !== undefined && `≈ ${dollars(usdOf({ amount: delta, currency: coin }, indexOf))}`}
        </small>
      </>
    ),
  },
  number('Gamma', ({ sums }) => known(gammaText(sums.gamma))),
  number('Vega (USD)', ({ sums }) => known(greek(sums.vega, 2))),
  number('Theta (USD)', ({ sums }) => known(greek(sums.theta, 2))),
];

export function PositionsScreen() {
  useReadings(READINGS);
  const { shown, readMs } = holdings;
  const held = holdings.value.value;
  const names = held?.positions.map(({ instrumentName }) => instrumentName) ?? [];
  useEffect(() => void readCatalogue(), [names.join(' ')]);
  const coins = new Set([
    ...(held?.balances.map(({ currency }) => currency) ?? []),
    ...names.flatMap((name) => coinOf(name) ?? []),
  ]);
  useReferenceData(
    [],
    [...coins].filter((coin) => !DOLLARS.includes(coin)),
  );
  return (
    <div class="screen">
      <h1>Positions</h1>
      <dl class="strip">
        <Figure name="Equity" shown={shown.value} say={equity} />
        <Figure name="Unrealised" shown={shown.value} say={unrealised} />
        <Figure name="Realised" shown={shown.value} say={realised} />
        <Figure name="Net delta" shown={shown.value} say={netDelta} />
        <Figure name="Vega, theta" shown={shown.value} say={vegaTheta} />
        <Figure name="Most margin used" shown={shown.value} say={mostMargin} />
      </dl>
      {readMs.value !== undefined && (
        <p class="count">
          Read {ageText(tickMs.value - readMs.value)} ago, realised and unrealised since the last
          settlement, dollars at the index of now
        </p>
      )}
      <Sheet
        title="Open positions"
        shown={mapShown(shown.value, ({ positions }) => positions)}
        none="No open positions."
        keyOf={({ account, instrumentName }) => `${account}/${instrumentName}`}
        columns={POSITIONS}
      />
      {names.length > 0 && (
        <Sheet
          title="Greeks by coin"
          shown={mapShown(shown.value, ({ positions }) => greeksByCoin(positions, coinOf))}
          none=""
          keyOf={({ coin }) => coin}
          columns={COIN_GREEKS}
        />
      )}
      <Sheet
        title="Equity by currency"
        shown={mapShown(shown.value, ({ balances }) => balances)}
        none="No balances."
        keyOf={({ accountId, currency }) => `${accountId}/${currency}`}
        columns={BALANCES}
      />
    </div>
  );
}

/** In dollars, with the amounts in their currencies below. */
function totalSaid(
  { balances }: Holdings,
  amountOf: (one: Balance) => string,
  isProfit: boolean,
): Said {
  const amounts = balances.map((one) => ({ amount: amountOf(one), currency: one.currency }));
  const { usd, unpriced } = usdTotal(amounts, indexOf);
  const sums = sumsByCurrency(amounts).filter(({ amount }) => /[1-9]/.test(amount));
  const inCoins = sums.map(({ amount, currency }) => `${grouped(amount)} ${currency}`).join(', ');
  const sign = isProfit && usd !== undefined && usd > 0 ? '+' : '';
  return {
    text: `${sign}${dollars(usd)}`,
    detail:
      unpriced.length === 0 ? inCoins : `price of ${unpriced.join(', ')} not known; ${inCoins}`,
    tone: isProfit && usd !== undefined && usd !== 0 ? (usd < 0 ? 'bad' : 'good') : undefined,
  };
}

const equity = (held: Holdings): Said => totalSaid(held, (one) => one.equity, false);
const unrealised = (held: Holdings): Said => totalSaid(held, (one) => one.sessionUpl, true);
const realised = (held: Holdings): Said => totalSaid(held, (one) => one.sessionRpl, true);

function netDelta({ positions }: Holdings): Said {
  const all = greeksByCoin(positions, coinOf);
  const amounts = all.map(({ coin, sums }) => ({ amount: sums.delta ?? '', currency: coin }));
  const isKnown = all.every(({ sums }) => sums.delta !== undefined);
  const { usd } = usdTotal(amounts, indexOf);
  const inCoins = amounts.map(
    ({ amount, currency }) => `${atPlaces(amount, DELTA_PLACES)} ${currency || NOT_KNOWN}`,
  );
  return {
    text: isKnown ? dollars(usd) : NOT_KNOWN,
    detail: all.length === 0 ? 'no position' : inCoins.join(', '),
  };
}

/** Both are in dollars: they add up over coins. */
function vegaTheta({ positions }: Holdings): Said {
  const all = greeksByCoin(positions, coinOf);
  const sum = (of: 'vega' | 'theta'): string => {
    const sums = all.map(({ sums: one }) => one[of]);
    const total = sums.reduce((a, b) => a + Number(b ?? Number.NaN), 0);
    return signed(total, 2);
  };
  return { text: `${sum('vega')}, ${sum('theta')}`, detail: 'USD a point, USD a day' };
}

function mostMargin({ balances }: Holdings): Said {
  const shares = balances.map((one) => ({ one, ...marginShares(one) }));
  const [most] = shares.toSorted((a, b) => b.initial - a.initial || 0);
  if (most === undefined) return { text: NO_FIGURE, detail: 'no equity' };
  const { one, initial, maintenance } = most;
  if (initial === Infinity) {
    return { text: '▲ no equity left', detail: `${one.accountId}, ${one.currency}`, tone: 'bad' };
  }
  return {
    text: percent(initial),
    detail: `${one.accountId} ${one.currency}, maintenance ${percent(maintenance)}`,
    tone: initial >= 1 ? 'bad' : initial >= NEARLY_FULL ? 'warn' : undefined,
  };
}
