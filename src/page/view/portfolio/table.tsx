// A table of a portfolio's screen: headed, with a card for each row where its place is narrow, and beyond a number of rows only
// on request.
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Shown } from '../../model/panel-state.ts';
import { None, PanelFreshness } from '../panel-freshness.tsx';

export interface TableRow {
  readonly key: string;
  readonly cells: readonly ComponentChildren[];
  readonly tone?: 'bad' | 'soft' | undefined;
}

interface TableProps {
  readonly title: string;
  /** Next to the title. */
  readonly note?: ComponentChildren;
  /** Those that begin with # are numbers. */
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
  /** What the rows were made from. */
  readonly shown: Shown<unknown>;
  /** Said in place of a table without rows; absent: nothing is shown at all. */
  readonly none?: string | undefined;
}

const FIRST_ROWS = 50;

export function Table({ title, note, columns, rows, shown, none }: TableProps) {
  const id = useId();
  const [isWhole, showAll] = useState(false);
  if (rows.length === 0 && none === undefined) return null;
  const first = isWhole ? rows : rows.slice(0, FIRST_ROWS);
  return (
    <section class="part tabled" aria-labelledby={id}>
      <h2>
        <span id={id}>{title}</span> <small>{note}</small>
      </h2>
      <PanelFreshness shown={shown} />
      {rows.length === 0 ? (
        <None shown={shown}>{none}</None>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the focus
        <section class="sideways" tabIndex={0} aria-labelledby={id}>
          <table>
            <thead>
              <tr>
                {columns.map((name) => (
                  <th key={name} scope="col" class={name.startsWith('#') ? 'number' : ''}>
                    {name.replace('#', '')}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {first.map(({ key, cells, tone }) => (
                <tr key={key} class={tone ?? ''}>
                  {cells.map((cell, index) => (
                    <td
                      key={index}
                      data-name={columns[index]?.replace('#', '')}
                      class={columns[index]?.startsWith('#') ? 'number' : ''}
                    >
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {first.length < rows.length && (
        <button type="button" onClick={() => showAll(true)}>
          Show all {rows.length}
        </button>
      )}
    </section>
  );
}
