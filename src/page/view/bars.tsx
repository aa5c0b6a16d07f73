// Progress against the schedule, and the signs of states: the same on every screen.
import type { StateWord } from '../model/blotter-row.ts';
import { percent } from '../model/formatting.ts';

export const STATE_SIGNS: Readonly<Record<StateWord, string>> = {
  active: '●',
  waiting: '◔',
  paused: '‖',
  cancelling: '◌',
  filled: '✓',
  cancelled: '✕',
};

/** What is filled, over what the schedule has reached. */
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
    </span>
  );
}
