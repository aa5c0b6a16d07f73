// A message budget that is short: slices wait for it without writing orders that are never sent.
import { describe, expect, it } from 'vitest';
import type { MessageLimits } from '../../../src/core/risk/gate/control-limits.ts';
import { Gate } from '../../../src/engine/risk/gate.ts';
import { unlimitedGate } from '../../../src/engine/risk/watch-gate.ts';
import type { CommitOutcome, Turn } from '../../../src/ports/ledger.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import {
  form,
  legForm,
  submitted,
  type World,
  type WorldParts,
  world,
} from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';
import { witness } from '../../support/engine/quiet-observer.ts';

const PERP = perpetual();

function starved(messages: Partial<MessageLimits>, parts: WorldParts = {}): World {
  const { clock = new VirtualClock(NOON) } = parts;
  const observer = witness();
  const limits = {
    version: '1',
    messages: { shareOfVenue: 1, perSecond: 2, burst: 4, cancelReserve: 0, ...messages },
  };
  const gate = new Gate({ clock, observer, limits: () => limits });
  const w = world({
    ...parts,
    clock,
    observer,
    gate: { ...unlimitedGate({ clock, observer }), gate },
  });
  w.venue.show(quote(PERP, [99_999.5, 100_000]));
  return w;
}

/** Tells the first turn with an order that another process was faster. */
class OvertakenLedger extends MemoryLedger {
  isOvertaken = false;

  override commit(turns: readonly Turn[]): Promise<CommitOutcome> {
    const [turn] = turns;
    const isOrder = turn?.events.some(({ kind }) => kind === 'child_intended') === true;
    if (turn === undefined || !isOrder || this.isOvertaken) return super.commit(turns);
    this.isOvertaken = true;
    return Promise.resolve({ kind: 'conflict', portfolio: turn.portfolio });
  }
}

/** Twelve portfolios, each with a slice at the same instants, ten seconds apart. */
async function twelve(w: World): Promise<void> {
  await w.engine.start();
  for (let count = 0; count < 12; count += 1) {
    await submitted(w, form({ legs: [legForm({ quantity: quantity('60') })] }));
  }
}

const count = (w: World, kind: string): number =>
  w.observer.events.filter((event) => event.kind === kind).length;

describe('slices without message budget', () => {
  it('every order that is intended is sent, however many portfolios are due at one instant', async () => {
    const w = starved({});
    await twelve(w);
    await w.run(3_000);
    // Four at once, and two a second; one may be on its way.
    const [intended, sent] = [count(w, 'child_intended'), w.venue.requests];
    expect(sent).toBeGreaterThanOrEqual(9);
    expect(intended - sent).toBeLessThanOrEqual(1);
    const reasons = w.observer.events.flatMap((event) =>
      event.kind === 'slice_waiting' ? [event.reason] : [],
    );
    expect(new Set(reasons)).toEqual(new Set(['message_budget']));
    await w.run(80_000);
    expect(count(w, 'child_rejected')).toBe(0);
    expect(count(w, 'filled')).toBe(12);
    expect(w.observer.failures).toEqual([]);
  });

  it('a turn that another process overtakes gives back the messages it was promised', async () => {
    const clock = new VirtualClock(NOON);
    const ledger = new OvertakenLedger({ now: () => clock.now() });
    const w = starved({ perSecond: 0.001, burst: 1 }, { clock, ledger });
    await w.engine.start();
    await submitted(w, form());
    await w.run(1_000);
    expect(ledger.isOvertaken).toBe(true);
    expect(w.venue.requests).toBe(1);
  });
});
