// Builds the command that carries fills and the end of a portfolio to its shadows in dummy accounts. At the end and
// after a restart all fills are sent again: the shadows know by their numbers which they have.

import type {
  MirroredFill,
  MirroredTerms,
  PortfolioCommand,
} from '../../core/portfolio/aggregate/portfolio-command.ts';
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import { isTerminal, type PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { termsOf } from '../../core/terms/amend-terms.ts';
import { must } from '../../values/assert.ts';
import { parseChildLabel } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';

/** The command that carries the state's latest events to the shadows; `undefined` if there is nothing to carry. */
export function mirrorCommand(
  state: PortfolioState,
  events: readonly PortfolioEvent[],
  now: Instant,
): PortfolioCommand | undefined {
  if (state.spec.mirrors.length === 0) return undefined;
  const fills = mirrored(state, events);
  const over = isTerminal(state.status)
    ? { filled: state.status === 'filled', reason: state.reason ?? 'user_request' }
    : undefined;
  const isAmended = events.some(({ kind }) => kind === 'amended');
  if (fills.length === 0 && over === undefined && !isAmended) return undefined;
  return { kind: 'mirror', now, fills, over, amended: amendedTerms(state) };
}

/** Part of every command, so that a shadow knows new totals before it receives fills beyond the old ones. */
function amendedTerms(state: PortfolioState): MirroredTerms | undefined {
  if (state.amendments === 0) return undefined;
  return { number: state.amendments, by: state.lastEditedBy, terms: termsOf(state.spec) };
}

function mirrored(state: PortfolioState, events: readonly PortfolioEvent[]): MirroredFill[] {
  const booked = events.filter((event) => event.kind === 'fill_booked');
  const before = state.fills - booked.length;
  return booked.map(({ label, tradeId, quantity, price, liquidity, tradedAt }, index) => {
    const { leg } = must(parseChildLabel(label), () => `${label} is the label of a child`);
    return { number: before + index + 1, leg, tradeId, quantity, price, liquidity, tradedAt };
  });
}
