// The screen of one portfolio: where it stands, its chart, its legs, orders and slices, what happened to it, and what one
// may do with it. Escape leads back to the blotter.

import { useEffect } from 'preact/hooks';
import { stopAmending } from '../../model/portfolio/amending.ts';
import { stopAsking } from '../../model/portfolio/change-request.ts';
import { follow, record, recordShown, unfollow } from '../../model/portfolio/followed-portfolio.ts';
import { showBlotter } from '../../model/portfolio/route.ts';
import { PanelFreshness } from '../panel-freshness.tsx';
import { ActionDialog } from './action-dialog.tsx';
import { AmendDialog } from './amend-dialog.tsx';
import { Charts } from './charts.tsx';
import { CostTable } from './cost-table.tsx';
import { Head } from './head.tsx';
import { History } from './history.tsx';
import { ChildTable, LegTable } from './leg-tables.tsx';
import { SliceTable } from './slice-table.tsx';

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
  return <div class="portfolio">{known === undefined ? <Missing id={id} /> : <Known />}</div>;
}

function Known() {
  return (
    <>
      <Head />
      <div class="columns">
        <Charts />
        <div class="beside">
          <LegTable />
          <ChildTable />
          <CostTable />
          <History />
        </div>
        <SliceTable />
      </div>
      <ActionDialog />
      <AmendDialog />
    </>
  );
}

function Missing({ id }: { readonly id: string }) {
  return (
    <>
      <header class="head-of">
        <button type="button" onClick={showBlotter}>
          ← Blotter
        </button>
        <h1>Portfolio {id}</h1>
      </header>
      <PanelFreshness shown={recordShown.value} />
    </>
  );
}
