// A strategy as read from its file: what to submit and when.
import type { PortfolioForm } from '../../core/terms/form.ts';
import type { Instant } from '../../values/instant.ts';
import type { Fault } from '../fault.ts';
import type { Schedule } from './strategy-schedule.ts';

/** Finds the place in a file of what is wrong with a field of its submit body. */
export type FaultOf = (field: string, message: string) => Fault;

export interface Strategy {
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  /** Without it only submitted manually. */
  readonly schedule?: Schedule | undefined;
  /** A due instant found later than this, after downtime, is skipped. */
  readonly missedWithinMs: number;
  readonly form: PortfolioForm;
  /** The submit body as plain JSON, for sending it to a daemon. */
  readonly body: unknown;
  /** A fault of the body with its place in the file; `field` such as `legs[0].quantity`. */
  readonly faultOf: FaultOf;
  readonly path: string;
}

/** The idempotency key of one firing. */
export const firingKey = (name: string, dueAt: Instant): string => `strategy:${name}:${dueAt}`;
/** The idempotency key of a firing at the daemon's `start`-th start. */
export const startKey = (name: string, start: number): string => `strategy:${name}:start-${start}`;
