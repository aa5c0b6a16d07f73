// Requests for a portfolio while the ledger reads and does not write: a bounded number waits, the others are refused.
import { describe, expect, test } from 'vitest';
import { REQUESTS_WAITING_MAX } from '../../../src/engine/turns/waiting-requests.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { accountId } from '../../../src/values/ids.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { BY, form, settle, submitted, world } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';

type Kind = 'pause' | 'resume' | 'cancel';

/** A portfolio at work whose next turn waits for the ledger. */
async function stalled() {
  const clock = new VirtualClock(NOON);
  let writes = Promise.resolve();
  let release = (): void => undefined;
  const ledger = new MemoryLedger({ now: () => clock.now(), beforeCommit: () => writes });
  const w = world({ clock, ledger });
  w.venue.show(quote(perpetual(), [99_999, 100_001]));
  await w.engine.start();
  const id = await submitted(w, form());
  await w.run(1);
  writes = new Promise((done) => {
    release = done;
  });
  const outcomes: Promise<string>[] = [];
  const send = async (kind: Kind): Promise<void> => {
    const outcome = w.operations[kind](id, BY);
    outcomes.push(
      outcome.then((one) => (one.kind === 'done' ? 'done' : String(one.rejections[0]?.kind))),
    );
    await settle();
  };
  // The turn of the first pause is the one that waits.
  await send('pause');
  const all = async (): Promise<readonly string[]> => {
    writes = Promise.resolve();
    release();
    await settle();
    return await Promise.all(outcomes);
  };
  return { w, id, send, all };
}

describe('client requests while the ledger does not write', () => {
  test('at most a fixed number waits for a portfolio, and further ones are refused at once', async () => {
    const { w, send, all } = await stalled();
    for (let i = 0; i < REQUESTS_WAITING_MAX + 20; i += 1) {
      await send(i % 2 === 0 ? 'resume' : 'pause');
    }
    expect(w.assembled.stats().requests).toBe(REQUESTS_WAITING_MAX);
    const outcomes = await all();
    const taken = outcomes.slice(0, REQUESTS_WAITING_MAX + 1);
    const refused = outcomes.slice(REQUESTS_WAITING_MAX + 1);
    expect(new Set(taken)).toEqual(new Set(['done']));
    expect(refused).toEqual(Array(20).fill('unavailable'));
    expect(w.assembled.stats().requests).toBe(0);
    expect(w.observer.failures).toEqual([]);
  });

  test('the first cancel is accepted beyond that number, and a second one is refused', async () => {
    const { w, id, send, all } = await stalled();
    for (let i = 0; i < REQUESTS_WAITING_MAX; i += 1) await send(i % 2 === 0 ? 'resume' : 'pause');
    await send('cancel');
    await send('cancel');
    expect(w.assembled.stats().requests).toBe(REQUESTS_WAITING_MAX + 1);
    expect((await all()).slice(-2)).toEqual(['done', 'unavailable']);
    expect((await w.operations.info(id))?.status).toBe('cancelled');
  });

  test('an amendment and a cancel of all are refused with the reason while too many wait', async () => {
    const { w, id, send, all } = await stalled();
    for (let i = 0; i < REQUESTS_WAITING_MAX; i += 1) await send('cancel');
    const legs = [{ leg: 0, quantity: quantity('700'), filledSeen: quantity('100') }];
    const asked = { portfolio: id, by: BY, isPreview: false, form: { legs } };
    const unavailable = {
      kind: 'refused',
      rejections: [{ kind: 'unavailable', message: expect.stringContaining('accepted: another') }],
    };
    expect(await w.operations.amend(asked)).toMatchObject(unavailable);
    expect(await w.operations.cancelAll({ account: accountId('10001') }, BY)).toMatchObject(
      unavailable,
    );
    expect((await all())[1]).toBe('done');
  });
});
