// The screen of one portfolio: where it stands, its chart, its legs, orders and slices, what happened to it, and what one
// may do with it. Escape leads back to the blotter.

import { useEffect } from 'preact/hooks';
import { dateTimeText } from '../../model/formatting.ts';
import { stopAmending } from '../../model/portfolio/amending.ts';
import { stopAsking } from '../../model/portfolio/asking.ts';
import {
  follow,
  happenings,
  happeningsShown,
  record,
  recordShown,
  unfollow,
} from '../../model/portfolio/followed-portfolio.ts';
import { showBlotter } from '../../model/portfolio/route.ts';
import { amendmentRow, happeningText } from '../../model/portfolio/sentences.ts';
import { HowCurrent } from '../how-current.tsx';
import { ActionDialog } from './action-dialog.tsx';
import { Actions } from './actions.tsx';
import { AmendDialog } from './amend-dialog.tsx';
import { Charts } from './charts.tsx';
import { CostTable } from './cost-table.tsx';
import { Head } from './head.tsx';
import { ChildTable, LegTable } from './leg-tables.tsx';
import { SliceTable } from './slice-table.tsx';
import { Table } from './table.tsx';

export function PortfolioScreen({ id }: { readonly id: string }) {
  useEffect(() => {
    follow(id);
    return () => {
      unfollow();
      stopAsking();
      stopAmending();
    };
  }, [id]);
  useEffect(() => {
    const leave = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || document.querySelector('dialog[open]') !== null) return;
      showBlotter();
    };
    addEventListener('keydown', leave);
    return () => removeEventListener('keydown', leave);
  }, []);
  const known = record.value?.value;
  return (
    <div class="portfolio">
      <p class="back">
        <button type="button" onClick={showBlotter}>
          ← Blotter
        </button>
      </p>
      {known === undefined ? <Missing id={id} /> : <Known />}
    </div>
  );
}

function Known() {
  return (
    <>
      <Head />
      <Actions />
      <Charts />
      <CostTable />
      <LegTable />
      <ChildTable />
      <SliceTable />
      <Amendments />
      <Happenings />
      <ActionDialog />
      <AmendDialog />
    </>
  );
}

function Missing({ id }: { readonly id: string }) {
  return (
    <>
      <h1>Portfolio {id}</h1>
      <HowCurrent shown={recordShown.value} />
    </>
  );
}

/** How the terms of the portfolio were amended, newest first. */
function Amendments() {
  const rows = happenings.value
    .filter(({ messageType }) => messageType === 'PORTFOLIO_AMENDED')
    .map(amendmentRow)
    .reverse();
  return (
    <Table
      title="Amendments"
      shown={happeningsShown.value}
      columns={['When (UTC)', 'By user', 'Change']}
      rows={rows.map(({ version, atMs, by, changes }) => ({
        key: String(version),
        cells: [dateTimeText(atMs), by, changes.join('; ')],
      }))}
    />
  );
}

function Happenings() {
  return (
    <Table
      title="History"
      shown={happeningsShown.value}
      none="Nothing has happened yet."
      columns={['When (UTC)', 'What']}
      rows={happenings.value.toReversed().map((one) => ({
        key: String(one.version),
        cells: [dateTimeText(Number(one.timestamp)), happeningText(one)],
      }))}
    />
  );
}
