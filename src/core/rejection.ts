// Refusals of a request, as values: which field, what is wrong, what would be accepted. The codes are the portfolio
// envelope's (docs/interface.md).

export const REJECTION_CODES = {
  invalid_parameter: 40001,
  mixed_currencies: 40002,
  note_too_long: 40003,
  time_out_of_range: 40004,
  ends_after_expiry: 40005,
  below_minimum: 40006,
  risk_limit: 40007,
  signature: 40101,
  timestamp: 40102,
  nonce_reused: 40103,
  forbidden: 40301,
  not_found: 40401,
  not_active: 40901,
  key_reused: 40902,
  conflict: 40903,
  trading_halted: 40904,
  too_many_requests: 42901,
  internal: 50001,
  unavailable: 50301,
} as const;

export type RejectionKind = keyof typeof REJECTION_CODES;

export interface Rejection {
  readonly kind: RejectionKind;
  /** Path of the field, for example `legs[0].priceOptions.price`; empty if no single field is at fault. */
  readonly field: string;
  /** What was wrong and what would be accepted; never starts with the field. */
  readonly message: string;
  /** The control that refuses; absent for a rule of the request. */
  readonly control?: string | undefined;
  /** When the same request may succeed, if that can be said. */
  readonly retryAfterSec?: number | undefined;
}

export const reject = (kind: RejectionKind, field: string, message: string): Rejection => ({
  kind,
  field,
  message,
});
