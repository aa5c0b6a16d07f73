// The rows of the blotter. Only those in view are in the document, so that thousands scroll as easily as ten; on a narrow screen
// each row is a card.

// biome-ignore-all lint/a11y/useSemanticElements: rows of a table element cannot be moved to where they belong
// biome-ignore-all lint/a11y/useFocusableInteractive: rows of a table do not take the focus, their buttons do
import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { BlotterRow, Filter, SortColumn, Sorting } from '../../model/blotter-row.ts';
import { useReferenceData } from '../../model/instruments/reference-data.ts';
import { portfolioAddress, shownPortfolio, takeLeft } from '../../model/portfolio/route.ts';
import { portfoliosShown } from '../../model/portfolios.ts';
import type { HiddenColumn } from '../../model/saved-views.ts';
import { None, PanelFreshness } from '../panel-freshness.tsx';
import { type BlotterColumn, COLUMNS, titleOf } from './blotter-columns.tsx';
import { KeysHelp, useBlotterKeys } from './blotter-keys.tsx';

/** Must be the heights of the style sheet. */
const ROW_PX = 44;
const CARD_PX = 140;
const MARGIN_ROWS = 10;
const NARROW = matchMedia('(max-width: 700px)');

const view = signal({ top: 0, height: 800, isNarrow: NARROW.matches });

type Which = Filter['which'];

const columnsOf = (which: Which): readonly BlotterColumn[] =>
  COLUMNS.filter(({ isOfEnded }) => which !== 'ended' || isOfEnded);

export const columnTitles = (which: Which): ReadonlyMap<SortColumn, string> =>
  new Map(COLUMNS.map((column) => [column.by, titleOf(column, which)]));

interface TableProps {
  readonly rows: readonly BlotterRow[];
  readonly which: Which;
  readonly sorting: Sorting;
  readonly hidden: readonly HiddenColumn[];
  readonly onSort: (by: SortColumn) => void;
}

export function BlotterTable(props: TableProps) {
  const { rows } = props;
  return (
    <>
      {rows.length > 0 && <Rows {...props} />}
      {/* Without rows it is no table: a narrow screen would hide all of it. */}
      {rows.length === 0 && (
        <div class="table">
          <PanelFreshness shown={portfoliosShown.value} />
          <None shown={portfoliosShown.value}>No portfolio matches.</None>
        </div>
      )}
      <KeysHelp />
    </>
  );
}

function Rows({ rows, which, sorting, hidden, onSort }: TableProps) {
  const scroller = useScroller();
  const { top, height, isNarrow } = view.value;
  const rowPx = isNarrow ? CARD_PX : ROW_PX;
  const first = Math.max(0, Math.floor(top / rowPx) - MARGIN_ROWS);
  const shown = rows.slice(first, first + Math.ceil(height / rowPx) + 2 * MARGIN_ROWS);
  // Cards of a narrow screen show everything.
  const columns = columnsOf(which).filter(
    ({ by }) => isNarrow || !hidden.some((column) => column === by),
  );
  useBlotterKeys({ rows, rowPx, scroller });
  const legs = shown.flatMap((row) => row.legs);
  useReferenceData(distinct(legs.map((leg) => leg.instrument)), coinsOf(rows));
  return (
    <div
      class="table blotter"
      role="table"
      aria-label="Portfolios"
      aria-rowcount={rows.length + 1}
      style={{ '--columns': columns.map(({ width }) => width).join(' ') }}
    >
      <div class="head" role="row" aria-rowindex={1}>
        {columns.map((column) => (
          <Head key={column.by} column={column} which={which} sorting={sorting} onSort={onSort} />
        ))}
      </div>
      {/* Scrolls by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the focus */}
      <div class="rows" ref={scroller} role="rowgroup" tabIndex={0}>
        <div style={{ height: `${rows.length * rowPx}px` }} role="presentation">
          <div style={{ transform: `translateY(${first * rowPx}px)` }} role="presentation">
            {shown.map((row, index) => (
              <Row key={row.id} row={row} index={first + index + 2} columns={columns} />
            ))}
          </div>
        </div>
      </div>
      <PanelFreshness shown={portfoliosShown.value} />
    </div>
  );
}

/** Keeps what is in view, and the place and focus of the row that was left for its own screen. */
function useScroller() {
  const scroller = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = (): void => {
      const { scrollTop: top, clientHeight: height } = element;
      view.value = { top, height, isNarrow: NARROW.matches };
    };
    element.scrollTop = view.value.top;
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      watch.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);
  useLayoutEffect(() => {
    if (shownPortfolio.value !== undefined) return;
    const left = takeLeft();
    const row =
      left && scroller.current?.querySelector<HTMLElement>(`[data-portfolio="${left}"] a`);
    if (row) row.focus({ preventScroll: true });
  }, [shownPortfolio.value]);
  return scroller;
}

const distinct = (names: readonly string[]): readonly string[] => [...new Set(names)].sort();

/** Of all rows, because figures over all of them are in dollars. */
const coinsOf = (rows: readonly BlotterRow[]): readonly string[] =>
  distinct(rows.flatMap(({ legs }) => legs.map(({ coin }) => coin)));

interface HeadProps {
  readonly column: BlotterColumn;
  readonly which: Which;
  readonly sorting: Sorting;
  readonly onSort: (by: SortColumn) => void;
}

function Head({ column, which, sorting, onSort }: HeadProps) {
  const { by, isNumber } = column;
  const isSorted = sorting.by === by;
  const order = sorting.isDescending ? 'descending' : 'ascending';
  return (
    <div role="columnheader" class={isNumber ? 'number' : ''} aria-sort={isSorted ? order : 'none'}>
      <button type="button" onClick={() => onSort(by)}>
        {titleOf(column, which)}
        {isSorted && <span aria-hidden="true">{sorting.isDescending ? ' ▾' : ' ▴'}</span>}
      </button>
    </div>
  );
}

interface RowProps {
  readonly row: BlotterRow;
  readonly index: number;
  readonly columns: readonly BlotterColumn[];
}

function Row({ row, index, columns }: RowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: its name is a link, which the keyboard reaches
    <div
      class={row.id === shownPortfolio.value ? 'row shown' : 'row'}
      role="row"
      aria-rowindex={index}
      data-portfolio={row.id}
      onClick={() => {
        location.hash = portfolioAddress(row.id);
      }}
    >
      {columns.map(({ by, isNumber, cell: Cell }) => (
        <div key={by} role="cell" class={isNumber ? `of-${by} number` : `of-${by}`}>
          <Cell row={row} />
        </div>
      ))}
    </div>
  );
}
