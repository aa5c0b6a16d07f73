// The blotter: every portfolio of the accounts of the session. Only the rows in view are in the document, so that thousands
// scroll as easily as ten; what is chosen is in the address, so that a reload and a bookmark keep it.

// biome-ignore-all lint/a11y/useSemanticElements: rows of a table element cannot be moved to where they belong
// biome-ignore-all lint/a11y/useFocusableInteractive: rows of a table do not take the focus, their buttons do
import { computed, signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import {
  type BlotterRow,
  chosenRows,
  type Filter,
  isOpen,
  type SortColumn,
  type Sorting,
} from '../model/blotter-row.ts';
import { durationText, percent } from '../model/formatting.ts';
import { portfolioAddress, takeLeft } from '../model/portfolio/route.ts';
import { blotterRows, portfoliosShown } from '../model/portfolios.ts';
import { type BlotterView, firstView, type HiddenColumn } from '../model/saved-views.ts';
import { Bars, STATE_SIGNS } from './bars.tsx';
import { HowCurrent, None } from './how-current.tsx';
import { nowMs } from './page-clock.ts';
import { ViewMenu } from './view-menu.tsx';

/** Must be the heights of the style sheet. */
const ROW_PX = 44;
const CARD_PX = 132;
const MARGIN_ROWS = 10;
const NARROW = matchMedia('(max-width: 700px)');

const COLUMNS: readonly (readonly [SortColumn, string])[] = [
  ['name', 'Portfolio'],
  ['account', 'Account'],
  ['state', 'State'],
  ['filled', 'Filled'],
  ['behind', 'Behind'],
  ['left', 'Time left'],
];

const TITLES = new Map<SortColumn, string>(COLUMNS);
/** Of the columns, in their order. */
const WIDTHS: Readonly<Record<string, string>> = {
  name: 'minmax(0, 3fr)',
  account: 'minmax(0, 1.4fr)',
  state: 'minmax(0, 1.8fr)',
  filled: 'minmax(0, 2fr)',
  behind: '7em',
  left: '8em',
};

/** An address that chooses something goes before the view that the blotter starts with. */
const first = location.search === '' ? firstView() : undefined;
const filter = signal<Filter>(first?.filter ?? filterOf(new URLSearchParams(location.search)));
const sorting = signal<Sorting>(first?.sorting ?? { by: 'submitted', isDescending: true });
const hidden = signal<readonly HiddenColumn[]>(first?.hidden ?? []);
const view = signal({ top: 0, height: 800, isNarrow: NARROW.matches });

const chosen = computed(() => chosenRows(blotterRows.value, filter.value, sorting.value));
const accounts = computed(() =>
  [...new Set(blotterRows.value.map(({ account }) => account))].sort(),
);

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

/** Cards of a narrow screen show everything. */
const isHidden = (column: SortColumn): boolean =>
  !view.value.isNarrow && hidden.value.some((one) => one === column);

function sortBy(by: SortColumn): void {
  const { value } = sorting;
  sorting.value = { by, isDescending: value.by === by ? !value.isDescending : false };
}

export function Blotter() {
  const rows = chosen.value;
  const behind = rows.filter((row) => isOpen(row) && row.behind > 0.01).length;
  return (
    <section aria-labelledby="blotter">
      <div class="choose">
        <h1 id="blotter">Blotter</h1>
        <input
          type="search"
          aria-label="Search portfolios"
          placeholder="Search"
          value={filter.value.search}
          onInput={(event) => choose({ search: event.currentTarget.value })}
        />
        <select
          aria-label="Which portfolios"
          value={filter.value.which}
          onChange={(event) => choose({ which: event.currentTarget.value as Filter['which'] })}
        >
          <option value="open">Open</option>
          <option value="ended">Ended</option>
          <option value="all">All</option>
        </select>
        <select
          aria-label="Account"
          value={filter.value.account}
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
          titles={TITLES}
          onShow={showView}
        />
        <span class="count">
          {rows.length} shown, {behind} behind
        </span>
      </div>
      <Rows rows={rows} />
    </section>
  );
}

/** A table by its roles, because the rows out of view have to leave their place. */
function Rows({ rows }: { readonly rows: readonly BlotterRow[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = (): void => {
      const { scrollTop: top, clientHeight: height } = element;
      view.value = { top, height, isNarrow: NARROW.matches };
    };
    element.scrollTop = view.value.top;
    const left = takeLeft();
    const row = left && element.querySelector<HTMLElement>(`[data-portfolio="${left}"] a`);
    if (row) row.focus({ preventScroll: true });
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      watch.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);
  const rowPx = view.value.isNarrow ? CARD_PX : ROW_PX;
  const first = Math.max(0, Math.floor(view.value.top / rowPx) - MARGIN_ROWS);
  const count = Math.ceil(view.value.height / rowPx) + 2 * MARGIN_ROWS;
  const shown = rows.slice(first, first + count);
  const columns = COLUMNS.filter(([by]) => !isHidden(by));
  return (
    <div
      class="table"
      role="table"
      aria-label="Portfolios"
      aria-rowcount={rows.length + 1}
      style={{ '--columns': columns.map(([by]) => WIDTHS[by]).join(' ') }}
    >
      <div class="head" role="row" aria-rowindex={1}>
        {columns.map(([by, title]) => (
          <Head key={by} by={by} title={title} />
        ))}
      </div>
      {/* Scrolls by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the focus */}
      <div class="rows" ref={scroller} role="rowgroup" tabIndex={0}>
        <div style={{ height: `${rows.length * rowPx}px` }} role="presentation">
          <div style={{ transform: `translateY(${first * rowPx}px)` }} role="presentation">
            {shown.map((row, index) => (
              <Row key={row.id} row={row} index={first + index + 2} />
            ))}
          </div>
        </div>
      </div>
      <HowCurrent shown={portfoliosShown.value} />
      {rows.length === 0 && <None shown={portfoliosShown.value}>No portfolio matches.</None>}
    </div>
  );
}

function Head({ by, title }: { readonly by: SortColumn; readonly title: string }) {
  const { by: current, isDescending } = sorting.value;
  const order = current !== by ? 'none' : isDescending ? 'descending' : 'ascending';
  const sign = { none: '', ascending: ' ▲', descending: ' ▼' }[order];
  return (
    <div
      role="columnheader"
      aria-sort={order}
      class={by === 'behind' || by === 'left' ? 'number' : ''}
    >
      <button type="button" onClick={() => sortBy(by)}>
        {title}
        <span aria-hidden="true">{sign}</span>
      </button>
    </div>
  );
}

function Row({ row, index }: { readonly row: BlotterRow; readonly index: number }) {
  const { filled, scheduled, behind, endMs } = row;
  const left = endMs === undefined || !isOpen(row) ? '' : durationText(endMs - nowMs.value);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: its name is a link, which the keyboard reaches
    <div
      class="row"
      role="row"
      aria-rowindex={index}
      data-portfolio={row.id}
      onClick={() => {
        location.hash = portfolioAddress(row.id);
      }}
    >
      <div role="cell">
        <a href={portfolioAddress(row.id)}>
          <strong>{row.name}</strong>
        </a>
        <small>{row.legs}</small>
      </div>
      {!isHidden('account') && <div role="cell">{row.account}</div>}
      {!isHidden('state') && (
        <div role="cell" class={`word ${row.state}`} title={row.why}>
          <span aria-hidden="true">{STATE_SIGNS[row.state]}</span> {row.state}
          <small>{row.why}</small>
        </div>
      )}
      {!isHidden('filled') && (
        <div role="cell">
          <Bars filled={filled} scheduled={scheduled} />
          <span class="number">{percent(filled)}</span>
        </div>
      )}
      {!isHidden('behind') && (
        <div role="cell" class={behind > 0.01 ? 'number bad' : 'number'}>
          <span class="label">behind </span>
          {behind < 0 ? `${percent(-behind)} ahead` : percent(behind)}
        </div>
      )}
      {!isHidden('left') && (
        <div role="cell" class="number">
          {left}
        </div>
      )}
    </div>
  );
}
