// Processes the consequences of a complete matching step one at a time until none is left. This terminates:
// an order is triggered once, and a triggered order adds no new triggers except those placed beforehand.

import type { ExchangeState } from '../exchange-state.ts';
import { fire } from './activate-trigger.ts';
import { settleLinks } from './link-progress.ts';

export function afterMatch(state: ExchangeState): void {
  const { pending } = state;
  for (;;) {
    const linked = pending.nextLinked();
    if (linked !== undefined) {
      settleLinks(state, linked);
      continue;
    }
    const fired = pending.nextFired();
    if (fired === undefined) return;
    fire(state, fired);
  }
}
