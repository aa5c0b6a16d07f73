// Records why a slice places nothing, or not all that it wants, once for each reason in a row.
import type { SkipReason } from '../../terms/reasons.ts';
import { type Draft, emit } from '../aggregate/draft.ts';
import { legState } from '../aggregate/positions.ts';

interface Wait {
  readonly reason: SkipReason;
  /** The control or limit, with its figures. */
  readonly why?: string;
}

export function wait(draft: Draft, leg: number, { reason, ...told }: Wait): void {
  const current = legState(draft.state, leg).current;
  if (current === undefined || current.waiting === reason) return;
  emit(draft, { kind: 'slice_waiting', leg, slice: current.slice, reason, ...told });
}

export const waiting = (draft: Draft, leg: number, reason: SkipReason): void =>
  wait(draft, leg, { reason });

/** A control keeps the slice from placing. */
export const blocked = (draft: Draft, leg: number, why: string): void =>
  wait(draft, leg, { reason: 'risk_limit', why });
