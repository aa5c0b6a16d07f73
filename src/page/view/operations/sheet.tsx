// A table as wide as its screen, with a card for each row where its place is narrow.

import type { ComponentChildren } from 'preact';
import { dateTimeText, isoText } from '../../model/formatting.ts';
import type { Shown } from '../../model/panel-state.ts';
import { None, PanelFreshness } from '../panel-freshness.tsx';

export interface Column<T> {
  readonly head: string;
  readonly cell: (row: T) => ComponentChildren;
  readonly isNumber?: boolean;
}

export interface SheetProps<T> {
  readonly title: string;
  readonly columns: readonly Column<T>[];
  readonly shown: Shown<readonly T[]>;
  /** Shown in place of an empty table. */
  readonly none: string;
  readonly keyOf: (row: T) => string;
  readonly children?: ComponentChildren;
}

export function Sheet<T>({ title, columns, shown, none, keyOf, children }: SheetProps<T>) {
  const id = `sheet-${title.toLowerCase().replace(/\W+/g, '-')}`;
  const rows = shown.kind === 'unread' ? undefined : shown.value;
  return (
    <section
      class={shown.kind === 'stale' ? 'sheet tabled stale' : 'sheet tabled'}
      aria-labelledby={id}
    >
      <h2 id={id}>{title}</h2>
      <PanelFreshness shown={shown} />
      {rows?.length === 0 && <None shown={shown}>{none}</None>}
      {rows !== undefined && rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        <section class="scrolls" aria-label={`${title}, table`} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {columns.map(({ head, isNumber }) => (
                  <th key={head} scope="col" class={isNumber === true ? 'number' : ''}>
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={keyOf(row)}>
                  {columns.map(({ head, cell, isNumber }) => (
                    <td key={head} data-name={head} class={isNumber === true ? 'number' : ''}>
                      {cell(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {children}
    </section>
  );
}

/** With the day, in UTC. */
export function Time({ ms }: { readonly ms: number | string | null | undefined }) {
  if (ms === null || ms === undefined) return <>never</>;
  return (
    <time dateTime={isoText(Number(ms))} title={String(new Date(Number(ms)))}>
      {dateTimeText(Number(ms))}
    </time>
  );
}

const PERCENT = 100;

/** How much of a limit is used, as a bar with its words. */
export function Share({
  part,
  whole,
}: {
  readonly part: string | null;
  readonly whole: string | null;
}) {
  const share = Number(part ?? Number.NaN) / Number(whole ?? Number.NaN);
  if (!Number.isFinite(share)) return <>not known</>;
  const percent = Math.max(0, Math.floor(share * PERCENT));
  const kind = percent >= PERCENT ? 'bad' : percent >= 80 ? 'warn' : '';
  return (
    <>
      <meter min={0} max={PERCENT} high={80} value={percent} aria-label={`${percent}% used`} />{' '}
      <span class={kind}>{percent}%</span>
    </>
  );
}
