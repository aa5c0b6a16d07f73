// When the Block RFQ of a portfolio's end is due, and when it has to be looked at again.
import { earliest, type Instant, later } from '../../../values/instant.ts';
import { openFrom } from '../../terms/blackout-windows.ts';
import type { EndAction } from '../../terms/execution.ts';
import type { Settings } from '../../terms/settings.ts';
import { isTerminal, type PortfolioState } from '../aggregate/portfolio-state.ts';
import { openRfq } from '../aggregate/residual-rfq-state.ts';
import { decidableAt } from './reconcile-child.ts';

/** How often the venue is asked about it, beside what it tells by itself. */
const LOOK_MS = 1_000;

type Timed = Pick<PortfolioState, 'timeOverAt' | 'spec' | 'rfq'>;

/**
 * When it is taken back at the latest, a window to keep still in at its beginning not counted; `undefined` without
 * one, and before the time is over.
 */
export function rfqEndsAt({ timeOverAt, spec }: Timed): Instant | undefined {
  const { endAction, rfq } = spec.execution;
  if (endAction !== 'rfq' || rfq === undefined || timeOverAt === undefined) return undefined;
  return later(openFrom(spec.execution.quiet, timeOverAt), rfq.waitMs);
}

/** It has still to be asked for. */
const isAwaited = (state: PortfolioState): boolean =>
  state.rfq === undefined && state.status !== 'cancelling' && !isTerminal(state.status);

/** What becomes of the rest where there is no RFQ, or it is over. */
export const endActionOf = ({ execution }: PortfolioState['spec']): Exclude<EndAction, 'rfq'> =>
  execution.endAction === 'rfq' ? (execution.rfq?.fallback ?? 'cancel') : execution.endAction;

/** From when on that counts. */
export const endActionFrom = ({ timeOverAt, rfq }: Timed): Instant | undefined =>
  rfq !== undefined && 'overAt' in rfq && rfq.overAt !== undefined ? rfq.overAt : timeOverAt;

/** Instants at which something about it is due, whoever is awake then. */
export function rfqInstants(state: PortfolioState, settings: Settings): readonly Instant[] {
  const rfq = openRfq(state);
  if (rfq === undefined) {
    const endsAt = rfqEndsAt(state);
    return endsAt !== undefined && isAwaited(state) ? [endsAt] : [];
  }
  const { stage, accept, cancel, absentSince, validUntil, retryAt } = rfq;
  const due: Instant[] = [];
  if (stage === 'refused' && retryAt !== undefined) {
    due.push(openFrom(state.spec.execution.quiet, retryAt));
  }
  if (stage === 'sending' || stage === 'unknown') {
    const again = absentSince && later(absentSince, settings.readLagMs);
    due.push(again ?? decidableAt(validUntil, settings));
  }
  if (accept !== undefined) due.push(decidableAt(accept.validUntil, settings));
  if (cancel !== undefined && stage === 'open') due.push(cancel.retryAt);
  else if (cancel === undefined) due.push(rfq.endsAt);
  return due;
}

/** The next look at it after `now`; `undefined` while there is nothing to look at. */
export function rfqLookAt(state: PortfolioState, now: Instant): Instant | undefined {
  const rfq = openRfq(state);
  if (rfq === undefined) {
    const isDue = rfqEndsAt(state) !== undefined && isAwaited(state);
    return isDue && state.timeOverAt !== undefined ? onGrid(state.timeOverAt, now) : undefined;
  }
  const collected = later(rfq.intendedAt, state.spec.execution.rfq?.collectMs ?? 0);
  const look = onGrid(rfq.intendedAt, now);
  return collected > now ? earliest(look, collected) : look;
}

const onGrid = (from: Instant, now: Instant): Instant =>
  later(from, (Math.floor(Math.max(0, now - from) / LOOK_MS) + 1) * LOOK_MS);
