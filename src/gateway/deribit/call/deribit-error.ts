// Refusals in Deribit's form: its codes, its names of params, a limit after the name of the error where it has one.
// `data` is left out where there is nothing to add.
import { REJECTION_CODES } from '../../../core/rejection.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import { asShown, CODES, nameOf } from '../../order-api/refusals.ts';
import { deribitName } from '../method/deribit-params.ts';

export interface DeribitError {
  readonly code: number;
  readonly message: string;
  readonly data?: { readonly reason: string; readonly param?: string };
}

type Failed = Exclude<Reply<unknown>, { readonly kind: 'done' }>;

/** Code of refusals that have none of their own, with the reason after the name. */
const OTHER_REJECT = 11030;
/**
 * Codes of our own that orders meet, and the nearest ones that clients of the venue know: what a control forbids is a
 * permission that they lack, and a halt is a lock by the administrator.
 */
const KNOWN_AS: ReadonlyMap<number, number> = new Map([
  [REJECTION_CODES.risk_limit, 11042],
  [REJECTION_CODES.trading_halted, 10019],
]);
/** The name of the error says enough. */
const WITHOUT_DATA: ReadonlySet<number> = new Set([CODES.internal, CODES.noSuchOrder]);

export function deribitError(reply: Failed): DeribitError {
  if (reply.kind === 'unknown') {
    const reason = `outcome unknown, it may have been done: ${reply.reason}`;
    return { code: CODES.outcomeUnknown, message: nameOf(CODES.outcomeUnknown), data: { reason } };
  }
  const { code, message, details } = asShown(reply);
  // Another account's order is answered like one that does not exist, so that guessing ids reveals nothing.
  if (code === CODES.notOwner || code === CODES.noSuchOrder) {
    return { code: CODES.noSuchOrder, message: nameOf(CODES.noSuchOrder) };
  }
  // Held back by the engine, for a reason that is no error of the venue.
  if (code === 0) return { code: OTHER_REJECT, message: `${nameOf(OTHER_REJECT)} ${message}` };
  const known = KNOWN_AS.get(code);
  if (known !== undefined) {
    const reason = details === undefined ? message : `${message}: ${details.reason}`;
    return { code: known, message: nameOf(known), data: { reason } };
  }
  if (details === undefined || WITHOUT_DATA.has(code)) return { code, message };
  const { param, reason } = details;
  return {
    code,
    message,
    data: { reason, ...(param === '' ? {} : { param: deribitName(param) }) },
  };
}
