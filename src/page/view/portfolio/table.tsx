// A table of a portfolio's screen: headed, scrolling sideways where it has to, and beyond a number of rows only on request.
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';

export interface TableRow {
  readonly key: string;
  readonly cells: readonly ComponentChildren[];
  readonly tone?: 'bad' | 'soft' | undefined;
}

interface TableProps {
  readonly title: string;
  /** Beside the title. */
  readonly note?: ComponentChildren;
  /** Those that begin with # are numbers. */
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
  /** Instead of the table without rows; absent: nothing is shown at all. */
  readonly empty?: string | undefined;
}

const FIRST_ROWS = 50;

export function Table({ title, note, columns, rows, empty }: TableProps) {
  const id = useId();
  const [isWhole, showAll] = useState(false);
  if (rows.length === 0 && empty === undefined) return null;
  const shown = isWhole ? rows : rows.slice(0, FIRST_ROWS);
  return (
    <section class="part" aria-labelledby={id}>
      <h2>
        <span id={id}>{title}</span> <small>{note}</small>
      </h2>
      {rows.length === 0 ? (
        <p class="none">{empty}</p>
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
              {shown.map(({ key, cells, tone }) => (
                <tr key={key} class={tone ?? ''}>
                  {cells.map((cell, index) => (
                    <td key={index} class={columns[index]?.startsWith('#') ? 'number' : ''}>
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {shown.length < rows.length && (
        <button type="button" onClick={() => showAll(true)}>
          Show all {rows.length}
        </button>
      )}
    </section>
  );
}
