// When a portfolio's residual RFQ is due, and when it must be checked next.
import { earliest, type Instant, later } from '../../../values/instant.ts';
import { openFrom } from '../../terms/blackout-windows.ts';
import type { EndAction } from '../../terms/execution.ts';
import type { Settings } from '../../terms/settings.ts';
import { isTerminal, type PortfolioState } from '../aggregate/portfolio-state.ts';
import { openRfq } from '../aggregate/residual-rfq-state.ts';
import { decidableAt } from './reconcile-child.ts';

/** How often the venue is queried about it, in addition to its notices. */
const LOOK_MS = 1_000;

type Timed = Pick<PortfolioState, 'timeOverAt' | 'spec' | 'rfq'>;

/**
 * When it is cancelled at the latest, not counting a blackout window at its start; `undefined` without an RFQ, and
 * before the time is up.
 */
export function rfqEndsAt({ timeOverAt, spec }: Timed): Instant | undefined {
  const { endAction, rfq } = spec.execution;
  if (endAction !== 'rfq' || rfq === undefined || timeOverAt === undefined) return undefined;
  return later(openFrom(spec.execution.quiet, timeOverAt), rfq.waitMs);
}

/** It has not been requested yet. */
const isAwaited = (state: PortfolioState): boolean =>
  state.rfq === undefined && state.status !== 'cancelling' && !isTerminal(state.status);

/** The end action for the residual if there is no RFQ, or once it has ended. */
export const endActionOf = ({ execution }: PortfolioState['spec']): Exclude<EndAction, 'rfq'> =>
  execution.endAction === 'rfq' ? (execution.rfq?.fallback ?? 'cancel') : execution.endAction;

/** The instant from which that end action applies. */
export const endActionFrom = ({ timeOverAt, rfq }: Timed): Instant | undefined =>
  rfq !== undefined && 'overAt' in rfq && rfq.overAt !== undefined ? rfq.overAt : timeOverAt;

/** Instants at which something about it is due, in whichever process runs then. */
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

/** The next check after `now`; `undefined` while there is nothing to check. */
export function rfqCheckAt(state: PortfolioState, now: Instant): Instant | undefined {
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
