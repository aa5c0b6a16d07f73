// The options of one expiry as a table: calls on the left and puts on the right of their strikes, shaded where they are in the
// money. It opens at the money, once the forward is known.
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { grouped } from '../../../values/text/written-figures.ts';
import {
  atMoney,
  type Instrument,
  isInMoney,
  type Strike,
} from '../../model/instruments/option-chain.ts';

export interface ChainColumn {
  readonly name: string;
  /** Left out first where there is little room. */
  readonly isExtra?: boolean;
  readonly cell: (of: Instrument) => ComponentChildren;
}

interface GridProps {
  readonly label: string;
  readonly strikes: readonly Strike[];
  /** `undefined`: not known yet. */
  readonly forward: string | undefined;
  /** Those of calls, from the outside to the strikes; puts mirror them. */
  readonly figures: readonly ChainColumn[];
  /** Next to the strikes, in this order on either side. */
  readonly prices: readonly ChainColumn[];
  /** Which side is shown where there is no room for both; absent: both. */
  readonly only?: 'calls' | 'puts';
}

export function ChainGrid({ label, strikes, forward, figures, prices, only }: GridProps) {
  const box = useRef<HTMLElement>(null);
  const money = atMoney(strikes, forward);
  useOpeningAtMoney(box, money);
  useSideInView(box, only, money !== undefined);
  const calls = [...figures, ...prices];
  const puts = [...prices, ...figures.toReversed()];
  return (
    <section
      ref={box}
      class={`scrolls chain-table${only === undefined ? '' : ` only-${only}`}`}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
      tabIndex={0}
    >
      <table>
        <thead>
          <tr>
            <th scope="colgroup" colSpan={calls.length} class="calls">
              Calls
            </th>
            <td />
            <th scope="colgroup" colSpan={puts.length} class="puts">
              Puts
            </th>
          </tr>
          <tr>
            <Heads columns={calls} side="calls" />
            <th scope="col" class="number strike">
              Strike
            </th>
            <Heads columns={puts} side="puts" />
          </tr>
        </thead>
        <tbody>
          {strikes.map(({ strike, call, put }) => (
            <tr key={strike} class={strike === money ? 'money' : ''}>
              <Cells columns={calls} side="calls" of={call} forward={forward} />
              <th scope="row" class="number strike">
                {grouped(strike)}
              </th>
              <Cells columns={puts} side="puts" of={put} forward={forward} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type Box = RefObject<HTMLElement | null>;

/** Scrolls once to the strike at the money, as soon as it is known. */
function useOpeningAtMoney(box: Box, money: string | undefined): void {
  const isOpened = useRef(false);
  useEffect(() => {
    const { current } = box;
    const row = current?.querySelector<HTMLElement>('tr.money');
    if (isOpened.current || !current || !row) return;
    isOpened.current = true;
    // Somebody who has scrolled already stays there.
    if (current.scrollTop > 0) return;
    current.scrollTop = row.offsetTop - (current.clientHeight - row.offsetHeight) / 2;
  }, [box, money]);
}

/** Shows the side that was chosen, and again once the strike at the money is known. */
function useSideInView(box: Box, only: GridProps['only'], isKnown: boolean): void {
  useEffect(() => {
    const { current } = box;
    if (!current || only === undefined) return;
    // Where the columns do not fit, those next to the strikes are shown first.
    current.scrollLeft = only === 'calls' ? current.scrollWidth : 0;
  }, [box, only, isKnown]);
}

interface SideProps {
  readonly columns: readonly ChainColumn[];
  readonly side: 'calls' | 'puts';
}

function Heads({ columns, side }: SideProps) {
  return (
    <>
      {columns.map(({ name, isExtra }) => (
        <th key={name} scope="col" class={`number ${side}${isExtra === true ? ' extra' : ''}`}>
          {name}
        </th>
      ))}
    </>
  );
}

interface CellsProps extends SideProps {
  readonly of: Instrument | undefined;
  readonly forward: string | undefined;
}

function Cells({ columns, side, of, forward }: CellsProps) {
  const isIn = of !== undefined && isInMoney(of, forward) === true;
  const shade = isIn ? `${side} in-money` : side;
  return (
    <>
      {columns.map(({ name, isExtra, cell }) => (
        <td key={name} class={`number ${shade}${isExtra === true ? ' extra' : ''}`}>
          {of && cell(of)}
        </td>
      ))}
    </>
  );
}
