// Positions with their margin and greeks, and the equity of each account by currency. Every figure is as the gateway wrote it.

import { ageText } from '../../model/formatting.ts';
import { useReadings } from '../../model/operations/reading.ts';
import { type Balance, holdings, type Position } from '../../model/operations/readings.ts';
import { mapShown } from '../../model/panel-state.ts';
import { tickMs } from '../page-clock.ts';
import { type Column, Share, Sheet } from './sheet.tsx';

const READINGS = [holdings];

const number = <T,>(head: string, cell: (row: T) => string | undefined): Column<T> => ({
  head,
  isNumber: true,
  cell: (row) => cell(row) ?? '',
});

/** Coloured by its sign, which it also shows. */
const profit = <T,>(head: string, cell: (row: T) => string | undefined): Column<T> => ({
  head,
  isNumber: true,
  cell: (row) => {
    const text = cell(row) ?? '';
    const kind = text.startsWith('-') ? 'bad' : /[1-9]/.test(text) ? 'good' : '';
    return <span class={kind}>{text}</span>;
  },
});

const POSITIONS: readonly Column<Position>[] = [
  { head: 'Account', cell: ({ account }) => account },
  { head: 'Instrument', cell: ({ instrumentName }) => instrumentName },
  { head: 'Side', cell: ({ side }) => (side === 'buy' ? '▲ long' : '▼ short') },
  number('Size', ({ size }) => size),
  number('Average', ({ averagePrice }) => averagePrice),
  number('Mark', ({ markPrice }) => markPrice),
  profit('Unrealised', ({ floatingProfitLoss }) => floatingProfitLoss),
  profit('P/L', ({ totalProfitLoss }) => totalProfitLoss),
  number('Delta', ({ delta }) => delta),
  number('Gamma', ({ gamma }) => gamma),
  number('Vega', ({ vega }) => vega),
  number('Theta', ({ theta }) => theta),
  number('Initial margin', ({ initialMargin }) => initialMargin),
  number('Maintenance', ({ maintenanceMargin }) => maintenanceMargin),
];

const BALANCES: readonly Column<Balance>[] = [
  { head: 'Account', cell: ({ accountId }) => accountId },
  { head: 'Currency', cell: ({ currency }) => currency },
  number('Equity', ({ equity }) => equity),
  number('Balance', ({ balance }) => balance),
  number('Available', ({ availableFunds }) => availableFunds),
  {
    head: 'Margin used',
    cell: ({ initialMargin, marginBalance }) => (
      <Share part={initialMargin} whole={marginBalance} />
    ),
  },
  number('Initial margin', ({ initialMargin }) => initialMargin),
  number('Maintenance', ({ maintenanceMargin }) => maintenanceMargin),
  profit('Unrealised', ({ sessionUpl }) => sessionUpl),
  profit('Realised', ({ sessionRpl }) => sessionRpl),
  number('Delta', ({ deltaTotal }) => deltaTotal),
  number('Gamma', ({ optionsGamma }) => optionsGamma),
  number('Vega', ({ optionsVega }) => optionsVega),
  number('Theta', ({ optionsTheta }) => optionsTheta),
];

export function PositionsScreen() {
  useReadings(READINGS);
  const { shown, readMs } = holdings;
  return (
    <div class="screen">
      <h1>Positions</h1>
      {readMs.value !== undefined && (
        <p class="count">
          Read {ageText(tickMs.value - readMs.value)} ago, realised and unrealised since the last
          settlement
        </p>
      )}
      <Sheet
        title="Open positions"
        shown={mapShown(shown.value, (known) => known.positions)}
        none="No open positions."
        keyOf={({ account, instrumentName }) => `${account}/${instrumentName}`}
        columns={POSITIONS}
      />
      <Sheet
        title="Equity"
        shown={mapShown(shown.value, (known) => known.balances)}
        none="No balances."
        keyOf={({ accountId, currency }) => `${accountId}/${currency}`}
        columns={BALANCES}
      />
    </div>
  );
}
