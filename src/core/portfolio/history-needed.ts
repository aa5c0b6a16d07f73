// What the commands of one turn need besides the state: children that have left it, and fills that a shadow lacks. Both
// are rare, and are in the stored history.
import { type ChildLabel, childLabelOf } from '../../values/ids.ts';
import type { PortfolioCommand } from './aggregate/portfolio-command.ts';
import {
  isTerminal,
  type MirroredFills,
  type PortfolioState,
} from './aggregate/portfolio-state.ts';
import { mayHaveLeft } from './aggregate/settled-children.ts';
import { mirroredAfter } from './record-mirror.ts';

/** True if the commands cannot be decided on the state alone. */
export const needsHistory = (
  state: PortfolioState,
  commands: readonly PortfolioCommand[],
): boolean => departedLabels(state, commands).size > 0 || lacksFills(state, commands);

/** Labels in the reports whose children may have left the state; only reports can concern a settled child. */
export function departedLabels(
  state: PortfolioState,
  commands: readonly PortfolioCommand[],
): ReadonlySet<ChildLabel> {
  const labels = new Set<ChildLabel>();
  for (const command of commands) {
    if (command.kind !== 'record_report') continue;
    for (const { label } of [...command.orders, ...command.trades]) {
      if (mayHaveLeft(state, label)) labels.add(childLabelOf(label));
    }
  }
  return labels;
}

/** Another process may have copied the fills in between, so that the state in memory is not the latest. */
export function lacksFills(state: PortfolioState, commands: readonly PortfolioCommand[]): boolean {
  if (isTerminal(state.status)) return false;
  let mirrored: MirroredFills | undefined = state.mirrored;
  for (const command of commands) {
    if (command.kind === 'mirror') mirrored = mirrored && mirroredAfter(mirrored, command.fills);
  }
  return mirrored === undefined;
}
