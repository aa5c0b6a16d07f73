// Folds the events of the parts of a BALANCE portfolio.
import { quantity } from '../../../values/amounts.ts';
import { instant } from '../../../values/instant.ts';
import type { PortfolioEvent } from './portfolio-event.ts';
import type { PartState, PortfolioState } from './portfolio-state.ts';

export type PartEvent = Extract<
  PortfolioEvent,
  { kind: 'part_started' | 'part_waiting' | 'part_chased' | 'part_ended' }
>;

type Changes = Pick<PortfolioState, 'part'> &
  Partial<Pick<PortfolioState, 'partsDone' | 'partBase'>>;

export function evolvePart({ part }: PortfolioState, event: PartEvent): Changes {
  const at = instant(event.at);
  switch (event.kind) {
    case 'part_started':
      return {
        part: { part: event.part, stage: event.stage, startedAt: at, stageAt: at, lookedAt: at },
      };
    case 'part_waiting':
      return { part: part && { ...part, lookedAt: at } };
    case 'part_chased':
      return { part: part && { ...part, stage: event.stage, stageAt: at, lookedAt: at } };
    case 'part_ended':
      return {
        part: undefined,
        partsDone: event.part + 1,
        partBase: event.filled.map(quantity),
      };
  }
}

/** The first fill of a part starts its time limit. */
export function startedPart(
  { part }: PortfolioState,
  event: PortfolioEvent,
): { readonly part: PartState } | undefined {
  if (part === undefined || part.begunAt !== undefined) return undefined;
  return event.kind === 'fill_booked'
    ? { part: { ...part, begunAt: instant(event.at) } }
    : undefined;
}
