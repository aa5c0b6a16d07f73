// Builds the command that carries fills and the end of a portfolio to its shadows in dummy accounts. At the end and
// after a restart all fills are sent again: the shadows count each trade once.

import type {
  MirroredFill,
  MirroredTerms,
  PortfolioCommand,
} from '../../core/portfolio/aggregate/portfolio-command.ts';
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import { isTerminal, type PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { termsOf } from '../../core/terms/amend-terms.ts';
import { parseChildLabel } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';

/** The command that carries these events to the shadows; `undefined` if there is nothing to carry. */
export function mirrorCommand(
  state: PortfolioState,
  events: readonly PortfolioEvent[],
  now: Instant,
): PortfolioCommand | undefined {
  if (state.spec.mirrors.length === 0) return undefined;
  const fills = events.flatMap(mirrored);
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

function mirrored(event: PortfolioEvent): MirroredFill[] {
  if (event.kind !== 'fill_booked') return [];
  const leg = parseChildLabel(event.label)?.leg;
  if (leg === undefined) return [];
  const { tradeId, quantity, price, liquidity, tradedAt } = event;
  return [{ leg, tradeId, quantity, price, liquidity, tradedAt }];
}
