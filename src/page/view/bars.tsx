// Progress against the schedule, and the signs of states and sides: the same on every screen.
import type { RowLeg } from '../model/blotter-row.ts';
import { percent } from '../model/formatting.ts';
import type { Standing } from '../model/standing.ts';

export const STATE_SIGNS: Readonly<Record<Standing['kind'], string>> = {
  active: '●',
  waiting: '◔',
  paused: '‖',
  cancelling: '◌',
  filled: '✓',
  cancelled: '✕',
  held: '■',
};

const SIDE_SIGNS: Readonly<Record<RowLeg['side'], string>> = { buy: '▲', sell: '▼' };
const HELD = { buy: 'long', sell: 'short' } as const;

interface SideProps {
  readonly side: RowLeg['side'];
  /** Of a position. */
  readonly isHeld?: boolean;
}

/** Coloured, and told apart without colour. */
export function SideWord({ side, isHeld = false }: SideProps) {
  return (
    <span class={`side ${side}`}>
      <span aria-hidden="true">{SIDE_SIGNS[side]}</span> {isHeld ? HELD[side] : side}{' '}
    </span>
  );
}

/** What is filled, and a tick where the schedule is. */
export function Bars({
  filled,
  scheduled,
}: {
  readonly filled: number;
  readonly scheduled: number;
}) {
  const text = `${percent(filled)} filled, ${percent(scheduled)} scheduled`;
  return (
    <span class="bars" role="img" aria-label={text} title={text}>
      <span class="plan" style={{ width: percent(scheduled) }} />
      <span class="fill" style={{ width: percent(filled) }} />
      <span class="due" style={{ left: percent(scheduled) }} />
    </span>
  );
}
