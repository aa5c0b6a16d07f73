// The blotter: every portfolio of the accounts of the session. What is chosen is in the address, so that a reload and a bookmark
// keep it.
import { computed, signal } from '@preact/signals';
import { counted } from '../../../values/text/written-figures.ts';
import { chosenRows, type Filter, isOpen, type Sorting } from '../../model/blotter-row.ts';
import { figure } from '../../model/formatting.ts';
import { isBeside } from '../../model/portfolio/side-panel.ts';
import { blotterRows } from '../../model/portfolios.ts';
import { type BlotterView, firstView, type HiddenColumn } from '../../model/saved-views.ts';
import { BlotterStrip } from './blotter-strip.tsx';
import { BlotterTable, columnTitles } from './blotter-table.tsx';
import { ViewMenu } from './view-menu.tsx';

/** An address that chooses something goes before the view that the blotter starts with. */
const first = location.search === '' ? firstView() : undefined;
const filter = signal<Filter>(first?.filter ?? filterOf(new URLSearchParams(location.search)));
const sorting = signal<Sorting>(first?.sorting ?? { by: 'submitted', isDescending: true });
const hidden = signal<readonly HiddenColumn[]>(first?.hidden ?? []);

const chosen = computed(() => chosenRows(blotterRows.value, filter.value, sorting.value));
const accounts = computed(() =>
  [...new Set(blotterRows.value.map(({ account }) => account))].sort(),
);

/** Columns that leave the place of a portfolio next to the blotter, which says more of each. */
const LEFT_OUT: readonly HiddenColumn[] = ['account', 'behind', 'average', 'left'];

function filterOf(query: URLSearchParams): Filter {
  const which = query.get('show');
  return {
    search: query.get('search') ?? '',
    account: query.get('account') ?? '',
    which: which === 'ended' || which === 'all' ? which : 'open',
  };
}

function choose(change: Partial<Filter>): void {
  filter.value = { ...filter.value, ...change };
  const { search, account, which } = filter.value;
  const query = new URLSearchParams({
    ...(search !== '' && { search }),
    ...(account !== '' && { account }),
    ...(which !== 'open' && { show: which }),
  });
  history.replaceState(null, '', query.size === 0 ? '/' : `/?${query}`);
}

function showView({ filter: wanted, sorting: order, hidden: columns }: BlotterView): void {
  choose(wanted);
  sorting.value = order;
  hidden.value = columns;
}

export function Blotter() {
  const { search, account, which } = filter.value;
  const rows = chosen.value;
  const behind = rows.filter((row) => isOpen(row) && row.behind > 0.01).length;
  return (
    <section class="of-blotter" aria-labelledby="blotter">
      <BlotterStrip />
      <div class="choose">
        <h1 id="blotter">Blotter</h1>
        <input
          type="search"
          aria-label="Search portfolios"
          placeholder="Search"
          value={search}
          onInput={(event) => choose({ search: event.currentTarget.value })}
        />
        <select
          aria-label="Which portfolios"
          value={which}
          onChange={(event) => choose({ which: event.currentTarget.value as Filter['which'] })}
        >
          <option value="open">Open</option>
          <option value="ended">Ended</option>
          <option value="all">All</option>
        </select>
        <select
          aria-label="Account"
          value={account}
          onChange={(event) => choose({ account: event.currentTarget.value })}
        >
          <option value="">All accounts</option>
          {accounts.value.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
        <ViewMenu
          shown={{ filter: filter.value, sorting: sorting.value, hidden: hidden.value }}
          titles={columnTitles(which)}
          onShow={showView}
        />
        <span class="count">
          {figure(rows.length)} shown
          {which !== 'ended' && `, ${counted(behind, 'behind', 'behind')}`}
        </span>
      </div>
      <BlotterTable
        rows={rows}
        which={which}
        sorting={sorting.value}
        hidden={isBeside.value ? [...hidden.value, ...LEFT_OUT] : hidden.value}
        onSort={(by) => {
          const { value } = sorting;
          sorting.value = { by, isDescending: value.by === by ? !value.isDescending : false };
        }}
      />
    </section>
  );
}
