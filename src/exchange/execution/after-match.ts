// What follows from a complete step of the matching, one thing at a time until nothing is left. It ends:
// a trigger fires once, and nothing that fires brings new triggers with it but those placed beforehand.

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
