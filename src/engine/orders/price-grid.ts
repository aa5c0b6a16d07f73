// Whether the venue has moved an instrument to another grid of prices since its portfolio was submitted. An order by the
// old one would be refused (10043), attempt after attempt.
import { notSent, type Refused } from '../../core/order/answer-class.ts';
import type { OrderIntent } from '../../core/portfolio/aggregate/portfolio-intent.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { tickRecord } from '../../core/terms/spec-record.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Venue } from '../../ports/venue.ts';
import { hasSameTicks } from '../../values/instrument.ts';
import type { Engine } from '../engine.ts';

type Priced = Extract<OrderIntent, { kind: 'place' | 'edit' }>;

interface Parts {
  readonly clock: Clock;
  readonly engine: { readonly turns: Pick<Engine['turns'], 'run'> };
}

/**
 * Records the new grid, by which the next attempt is priced; the present one is not sent. `undefined` while the venue
 * lists the grid that the portfolio knows, or does not list the instrument.
 */
export function offGrid(
  { id, instruments }: PortfolioState,
  venue: Venue,
  { instrument }: Priced,
  { clock, engine }: Parts,
): Promise<Refused> | undefined {
  const listed = venue.instrument(instrument);
  const known = instruments.get(instrument);
  if (listed === undefined || known === undefined || hasSameTicks(listed, known)) return undefined;
  const command = {
    kind: 'record_ticks',
    now: clock.now(),
    instrument,
    ...tickRecord(listed),
  } as const;
  const refusal = notSent(`${instrument} has another tick size since the order was decided`);
  return engine.turns.run(id, command).then(() => refusal);
}
