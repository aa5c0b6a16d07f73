// The answer to a portfolio request that was refused, could not be read, or found the ledger unavailable.

import { reject } from '../../core/rejection.ts';
import { EventsArchived } from '../../ports/archive/archived-reads.ts';
import { PeerUnanswered, PeerUnreached } from '../../ports/deployment/engine-peers.ts';
import { LedgerFailure } from '../../ports/ledger.ts';
import { MarketUnanswered } from '../../ports/market-reads.ts';
import { isProgrammingError } from '../../values/errors/programming-error.ts';
import { type Envelope, httpStatus, refusal, transportFault } from './envelope.ts';
import { Refused } from './faults.ts';
import { MalformedJson } from './json.ts';

export interface FaultAnswer {
  /** HTTP status. */
  readonly status: number;
  readonly envelope: Envelope<never>;
  readonly retryAfterSec?: number | undefined;
}

/** Default for Retry-After. */
export const RETRY_SEC = 1;

/** Whether the refusal is temporary, so that a retry may succeed. */
export const isForNow = (status: number): boolean => status === 429 || status === 503;

/** `undefined` for unexpected errors, and for what hides a mistake of the program. */
export function faultAnswer(error: unknown): FaultAnswer | undefined {
  if (isProgrammingError(error)) return undefined;
  if (error instanceof Refused) return refusedAnswer(error);
  if (error instanceof MalformedJson) {
    return { status: 400, envelope: transportFault('malformed', `the body ${error.message}`) };
  }
  if (error instanceof MarketUnanswered) return refusedAnswer(VENUE_SILENT);
  if (error instanceof PeerUnreached) return refusedAnswer(ENGINE_AWAY);
  if (error instanceof PeerUnanswered) return refusedAnswer(ENGINE_SILENT);
  if (error instanceof EventsArchived) return refusedAnswer(ARCHIVED);
  return error instanceof LedgerFailure ? refusedAnswer(ledgerRefused(error)) : undefined;
}

/** Temporary refusals state when to retry. */
function refusedAnswer({ rejections, retryAfterSec }: Refused): FaultAnswer {
  const [first] = rejections;
  const status = httpStatus(first?.kind ?? 'internal');
  const againSec = retryAfterSec ?? first?.retryAfterSec ?? RETRY_SEC;
  const again = isForNow(status) ? againSec : undefined;
  return { status, envelope: refusal(rejections), retryAfterSec: again };
}

const VENUE_SILENT = new Refused(
  [reject('unavailable', '', 'the venue does not answer; nothing was done, try again')],
  RETRY_SEC,
);

const ENGINE_AWAY = new Refused(
  [reject('unavailable', '', 'the engine is not available; nothing was done, try again')],
  RETRY_SEC,
);

const ENGINE_SILENT = new Refused(
  [
    reject(
      'unavailable',
      '',
      'the engine did not answer: the request may have been executed, check before retrying',
    ),
  ],
  RETRY_SEC,
);

const ARCHIVED = new Refused(
  [
    reject(
      'unavailable',
      '',
      'the events of this portfolio are in the archive, which cannot be read here: ask the operator',
    ),
  ],
  RETRY_SEC,
);

function ledgerRefused(failure: LedgerFailure): Refused {
  const message = failure.maybe
    ? 'the ledger did not answer in time: the request may have been executed, check before retrying'
    : 'the ledger is not available; nothing was done, try again';
  return new Refused([reject('unavailable', '', message)], RETRY_SEC);
}
