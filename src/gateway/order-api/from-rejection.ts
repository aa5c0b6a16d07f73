// Maps refusals of the gateway's admission (credentials, scope, rate) to the codes of the order methods.
import type { Rejection } from '../../core/rejection.ts';
import {
  forbidden,
  internalError,
  invalidParam,
  type Refusal,
  tooManyRequests,
  tryAgain,
  unauthorized,
} from './refusals.ts';

export function refusalOf({ kind, field, message }: Rejection): Refusal {
  switch (kind) {
    case 'signature':
    case 'timestamp':
    case 'nonce_reused':
      return unauthorized(field, message);
    case 'forbidden':
      return forbidden(field, message);
    case 'too_many_requests':
      return tooManyRequests(message);
    case 'unavailable':
      return tryAgain(message);
    case 'internal':
      return internalError();
    default:
      return invalidParam(field, message);
  }
}
