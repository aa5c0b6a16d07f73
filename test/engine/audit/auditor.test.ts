// The auditor alongside a running engine: silent while everything is correct, and quick to report a ledger or a venue
// that disagrees with the engine's record.
import { describe, expect, test } from 'vitest';
import type { StateSnapshot } from '../../../src/core/portfolio/snapshot/state-snapshot.ts';
import { LedgerFailure, type StoredPortfolio } from '../../../src/ports/ledger.ts';
import type { StateSnapshots } from '../../../src/ports/snapshots/state-snapshots.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, childLabel } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { auditSealsConformance } from '../../conformance/audit/audit-seals.ts';
import { halt } from '../../conformance/switch-records.ts';
import { MemoryAuditSeals } from '../../doubles/memory/memory-audit-seals.ts';
import { MemoryStateSnapshots } from '../../doubles/memory/memory-state-snapshots.ts';
import {
  audited,
  EVERY_MS,
  RESTING,
  records,
  started,
  unbookableTrade,
} from '../../support/engine/audit-stage.ts';
import { form, legForm, SETTINGS, submitted, world } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();
const SOON_MS = 5_000;

describe('MemoryAuditSeals', () => {
  const seals = new MemoryAuditSeals();
  auditSealsConformance(() => Promise.resolve(seals));
});

describe('the auditor', () => {
  test('the auditor finds nothing in a correct run while it checks continuously', async () => {
    const w = await started();
    for (const legs of [[legForm()], [RESTING], [legForm({ quantity: quantity('1200') })]]) {
      await submitted(w, form({ legs }));
    }
    await w.run(90_000);
    expect(w.breaches).toEqual([]);
    expect(w.halts).toEqual([]);
    for (const check of ['state', 'ledger', 'venue', 'position']) {
      expect(w.rounds.filter((one) => one === check).length).toBeGreaterThan(60);
    }
    expect(w.observer.failures).toEqual([]);
  });

  test('a check of a venue that does not answer has not run, and the others have', async () => {
    const w = await started();
    await submitted(w, form({ legs: [RESTING] }));
    w.venue.isDown = true;
    const before = w.rounds.length;
    await w.run(5 * EVERY_MS);
    const since = w.rounds.slice(before);
    expect(since).not.toContain('venue');
    expect(since).toContain('ledger');
    expect(w.unanswered).toContain('venue');
    w.venue.isDown = false;
    await w.run(5 * EVERY_MS);
    expect(w.rounds.slice(before)).toContain('venue');
    expect(w.breaches).toEqual([]);
  });

  test.each([
    [
      'were changed after they were sealed',
      ({ events, ...rest }: StoredPortfolio): StoredPortfolio => ({
        ...rest,
        events: events.map((event) =>
          event.kind === 'child_intended' ? { ...event, price: '1' } : event,
        ),
      }),
    ],
    [
      'are missing',
      ({ events, version, ...rest }: StoredPortfolio): StoredPortfolio => ({
        ...rest,
        version: version - 2,
        events: events.slice(0, -2),
      }),
    ],
    [
      'are out of order',
      ({ events, ...rest }: StoredPortfolio): StoredPortfolio => ({
        ...rest,
        events: [...events.slice(0, 1), ...events.slice(1).reverse()],
      }),
    ],
  ])('the auditor reports stored events that %s, and halts the portfolio', async (_what, forge) => {
    const w = await started();
    const id = await submitted(w, form({ legs: [RESTING] }));
    await w.run(5_000);
    expect(w.breaches).toEqual([]);
    w.forge = forge;
    await w.run(SOON_MS);
    expect(w.breaches).toContainEqual(expect.objectContaining({ invariant: 'I15', portfolio: id }));
    expect(w.halts[0]).toMatchObject({ scope: 'portfolio', of: id, state: 'halted' });
    const told = w.breaches.length;
    await w.run(SOON_MS);
    expect(w.breaches.length).toBeLessThanOrEqual(told + 1);
  });

  test('the auditor reads a portfolio of thousands of events from the first to the last', async () => {
    const before = await started();
    await before.auditor.drain();
    const legs = [legForm({ quantity: quantity('60000') })];
    const twapTrade = { durationSec: 1_200, frequencySec: 2 };
    const id = await submitted(before, form({ legs, twapTrade }));
    await before.run(1_150_000);
    const last = must(await before.ledger.load(id), 'it is stored').version - 60;
    expect(last).toBeGreaterThan(2_500);
    const kept = records();
    const w = audited(kept, before);
    await w.run(SOON_MS);
    expect(kept.chainWitness.of(id)?.version).toBeGreaterThan(last);
    expect(w.breaches).toEqual([]);
    w.forge = ({ events, ...rest }) => ({
      ...rest,
      events: events.map((event, index) => (index === last ? { ...event, at: 1 } : event)),
    });
    await w.run(SOON_MS);
    expect(w.breaches).toContainEqual(expect.objectContaining({ invariant: 'I15', portfolio: id }));
  });

  test('the auditor detects a chain truncated together with its seal, also after a restart', async () => {
    const kept = records();
    const w = await started(kept);
    const id = await submitted(w, form({ legs: [RESTING] }));
    await w.run(5_000);
    await w.auditor.drain();
    const sealed = must(kept.chainWitness.of(id), 'it was seen').version;
    const next = audited({ ...kept, seals: new MemoryAuditSeals() }, w);
    next.forge = ({ events, ...rest }) => ({
      ...rest,
      version: 1,
      events: events.slice(0, 1),
    });
    await w.run(SOON_MS);
    const detail = expect.stringContaining(`of ${sealed} that were sealed`);
    expect(next.breaches).toContainEqual(expect.objectContaining({ portfolio: id, detail }));
  });

  test('the auditor reads an ended portfolio once more and seals its end', async () => {
    const kept = records();
    const w = await started(kept);
    const id = await submitted(w, form());
    await w.run(90_000);
    const { version } = must(await w.ledger.load(id), 'it is stored');
    expect(kept.chainWitness.of(id)?.version).toBe(version);
    expect((await kept.seals.of(id))?.version).toBe(version);
  });

  test('the auditor seals portfolios that start and end between two checks, and earlier ones', async () => {
    const kept = records();
    const before = world();
    before.venue.show(quote(PERP, [99_999.5, 100_000]));
    await before.engine.start();
    const old = await submitted(before, form());
    await before.run(90_000);
    const w = audited(kept, before);
    await w.run(1_100);
    const short = await submitted(w, form({ twapTrade: { durationSec: 1, frequencySec: 1 } }));
    await w.run(10_000);
    for (const id of [old, short]) {
      const { version } = must(await w.ledger.load(id), 'it is stored');
      expect(kept.chainWitness.of(id)?.version).toBe(version);
    }
  });

  test('the auditor reports a persisting breach repeatedly, and halts once', async () => {
    const w = await started();
    const id = await submitted(w, form({ legs: [RESTING] }));
    await w.run(5_000);
    w.forge = ({ events, ...rest }) => ({
      ...rest,
      version: 2,
      events: events.slice(0, 2),
    });
    await w.run(SOON_MS);
    const detail = expect.stringContaining('that were sealed');
    const told = () => w.breaches.filter((one) => detail.asymmetricMatch(one.detail)).length;
    expect(told()).toBe(1);
    const halts = w.halts.length;
    await w.run(60_000);
    expect(told()).toBe(2);
    expect(w.halts.length).toBe(halts);
    expect(w.halts.every(({ of }) => of === id)).toBe(true);
  });

  test('the auditor halts a portfolio for an unbookable trade, one grace period after handing it over', async () => {
    const w = await started();
    const id = await submitted(w, form({ legs: [RESTING] }));
    await w.run(2_000);
    const kept = must(w.venue.kept[0], 'an order rests');
    kept.trades.push(unbookableTrade(kept, w));
    await w.run(SOON_MS);
    expect(w.breaches).toEqual([]);
    expect(w.handedOver).toMatchObject([{ portfolio: id, tradeId: 'forgotten' }]);
    await w.run(SOON_MS);
    expect(w.breaches).toMatchObject([{ invariant: 'I5', portfolio: id }]);
    expect(w.halts).toMatchObject([{ scope: 'portfolio', of: id }]);
    expect(w.handedOver).toHaveLength(1);
  });

  test('the auditor of the next owner finds an unbookable trade of the time before it took the account', async () => {
    let isOwner = false;
    const w = await started(records(), world(), { owns: () => isOwner });
    const id = await submitted(w, form({ legs: [RESTING] }));
    await w.run(2_000);
    const kept = must(w.venue.kept[0], 'an order rests');
    kept.trades.push(unbookableTrade(kept, w));
    await w.run(30_000);
    expect([w.breaches, w.handedOver]).toEqual([[], []]);
    isOwner = true;
    await w.run(2 * SOON_MS);
    expect(w.breaches).toMatchObject([{ invariant: 'I5', portfolio: id }]);
  });

  test.each([
    ['refuses every commit', 'refuses'],
    ['does not answer a commit', 'is slow'],
  ] as const)(
    'the auditor halts nothing while the ledger can be read but %s',
    async (_title, how) => {
      const clock = new VirtualClock(NOON);
      const fault = { isOn: false };
      const beforeCommit = async (): Promise<void> => {
        if (fault.isOn && how === 'refuses') {
          throw new LedgerFailure('could not extend file: No space left on device', false);
        }
        while (fault.isOn) {
          await new Promise<void>((done) => clock.at(later(clock.now(), 100), done));
        }
      };
      const ledger = new MemoryLedger({ now: () => clock.now(), beforeCommit });
      const w = await started(records(), world({ clock, ledger }));
      const id = await submitted(w, form({ legs: [RESTING] }));
      await w.run(2_000);
      const kept = must(w.venue.kept[0], 'an order rests');
      fault.isOn = true;
      w.venue.show(quote(PERP, [98_999.5, 99_000]));
      expect(kept.trades).not.toEqual([]);
      await w.run(20_000);
      expect(w.breaches).toEqual([]);
      fault.isOn = false;
      await w.run(20_000);
      expect([w.breaches, w.halts]).toEqual([[], []]);
      const booked = must(await w.ledger.load(id), 'it is stored').events;
      expect(booked.filter(({ kind }) => kind === 'fill_booked')).not.toEqual([]);
      kept.trades.push(unbookableTrade(kept, w));
      await w.run(2 * SOON_MS);
      expect(w.breaches).toMatchObject([{ invariant: 'I5', portfolio: id }]);
    },
  );

  test('the auditor gives a trade more time while its order is being queried', async () => {
    const w = await started();
    w.venue.mishaps.push('lose_reply');
    await submitted(w, form({ legs: [legForm()] }));
    await w.run(700);
    w.venue.isDown = true;
    await w.run(30_000);
    w.venue.isDown = false;
    await w.run(30_000);
    expect(w.breaches).toEqual([]);
  });

  test('the auditor reports an unexplained position by account until an operator accepts it', async () => {
    const kept = records();
    const w = await started(kept);
    w.venue.heldBeside.set(PERP.name, quantity('30'));
    await submitted(w, form({ legs: [legForm()] }));
    await w.run(8_000);
    expect(w.breaches).toEqual([]);
    w.venue.heldBeside.set(PERP.name, quantity('40'));
    await w.run(SOON_MS);
    expect(w.breaches).toMatchObject([{ invariant: 'I5', account: accountId('10001') }]);
    expect(w.breaches[0]?.portfolio).toBeUndefined();
    expect(w.halts).toMatchObject([{ scope: 'account', of: '10001' }]);
    await w.run(60_000);
    expect(w.breaches).toHaveLength(2);
    await kept.baselines.remove(accountId('10001'));
    await w.run(130_000);
    expect(w.breaches).toHaveLength(2);
    expect(await kept.baselines.of(accountId('10001'))).toMatchObject({
      positions: { [PERP.name]: expect.anything() },
    });
  });

  test('the auditor compares an account at once when the venue moves a position in a liquidation, and says what the venue reported', async () => {
    const w = await started();
    w.venue.heldBeside.set(PERP.name, quantity('30'));
    await submitted(w, form({ legs: [legForm()] }));
    await w.run(8_000);
    const account = accountId('10001');
    const detail = `adl_transfer_received of 20 in ${PERP.name} at 99000 (buy)`;
    w.venue.heldBeside.set(PERP.name, quantity('10'));
    w.venue.notice({
      kind: 'account',
      account,
      liquidation: { stage: 'adl_transfer_received', instrument: PERP.name, detail },
    });
    // Less than a round.
    await w.run(EVERY_MS / 10);
    const moved = `the venue moved -20 of ${PERP.name} without a trade; it reported ${detail}`;
    expect(w.breaches).toMatchObject([{ invariant: 'I5', account, detail: moved }]);
    expect(w.halts).toEqual([]);
    await w.run(SOON_MS);
    const kept = `the venue holds -20 of ${PERP.name} beyond what was agreed and traded since; it reported ${detail}`;
    expect(w.breaches.map((breach) => breach.detail)).toEqual([moved, kept]);
    expect(w.halts).toMatchObject([{ scope: 'account', of: '10001' }]);
  });

  test('a liquidation that trades in the book is no finding by itself, and explains a difference that remains', async () => {
    const w = await started();
    w.venue.heldBeside.set(PERP.name, quantity('30'));
    await submitted(w, form({ legs: [legForm()] }));
    await w.run(8_000);
    const account = accountId('10001');
    const [stage, detail] = ['liquidation_started', 'liquidation_started'];
    w.venue.notice({ kind: 'account', account, liquidation: { stage, detail } });
    await w.run(SOON_MS);
    expect(w.breaches).toEqual([]);
    w.venue.heldBeside.set(PERP.name, quantity('0'));
    await w.run(EVERY_MS);
    expect(w.breaches).toEqual([]);
    await w.run(SOON_MS);
    expect(w.breaches.map((breach) => breach.detail)).toEqual([
      `the venue holds -30 of ${PERP.name} beyond what was agreed and traded since; it reported liquidation_started`,
    ]);
  });

  test('the auditor reduces an account whose position never agrees, and does not weaken a halt', async () => {
    for (const isHalted of [false, true]) {
      const w = await started();
      if (isHalted) w.halts.push(halt({ scope: 'account', of: '10001', at: w.clock.now() }));
      const before = w.halts.length;
      w.venue.heldBeside.set(PERP.name, quantity('30'));
      await submitted(w, form({ legs: [legForm()] }));
      await w.run(8_000);
      const fromMs = w.clock.monotonicMs();
      const apart = async (forMs: number): Promise<void> => {
        for (const untilMs = w.clock.monotonicMs() + forMs; w.clock.monotonicMs() < untilMs; ) {
          w.venue.heldBeside.set(PERP.name, quantity(`${1_000 + w.clock.monotonicMs() - fromMs}`));
          await w.run(EVERY_MS / 2);
        }
      };
      await apart(29_000);
      expect(w.breaches).toEqual([]);
      await apart(SOON_MS);
      expect(w.breaches).toMatchObject([{ invariant: 'I5', account: accountId('10001') }]);
      expect(w.halts).toHaveLength(before);
      await apart(84_000);
      expect(w.halts).toHaveLength(before);
      await apart(SOON_MS);
      expect(w.halts.slice(before)).toMatchObject(
        isHalted ? [] : [{ scope: 'account', of: '10001', state: 'reducing' }],
      );
      await w.auditor.drain();
    }
  });

  test('after a restart the auditor continues from the agreed position plus the trades since', async () => {
    const kept = records();
    const w = await started(kept);
    w.venue.heldBeside.set(PERP.name, quantity('30'));
    await submitted(w, form({ legs: [legForm()] }));
    await w.run(90_000);
    expect(await kept.baselines.of(accountId('10001'))).toBeDefined();
    await w.auditor.drain();
    await submitted(w, form({ legs: [legForm()] }));
    await w.run(90_000);
    const next = audited(kept, w);
    await w.run(SOON_MS);
    expect(next.breaches).toEqual([]);
    await next.auditor.drain();
    w.venue.heldBeside.delete(PERP.name);
    const last = audited(kept, w);
    await w.run(SOON_MS);
    expect(last.breaches).toMatchObject([{ invariant: 'I5', account: accountId('10001') }]);
  });

  test('the auditor reports an order with our label that no portfolio has open', async () => {
    const w = await started();
    const id = await submitted(w, form({ legs: [RESTING] }));
    await w.run(2_000);
    const label = childLabel({
      deployment: SETTINGS.deployment,
      portfolio: id,
      leg: 0,
      slice: 900,
      attempt: 1,
    });
    await w.venue.place({
      account: accountId('10001'),
      instrument: PERP.name,
      side: 'buy',
      type: 'limit',
      label,
      quantity: quantity('10'),
      price: price('90000'),
      timeInForce: 'good_til_cancelled',
      postOnly: false,
      rejectPostOnly: false,
      reduceOnly: false,
      mmp: false,
      validUntil: later(w.clock.now(), 60_000),
    });
    await w.run(SOON_MS);
    expect(w.breaches).toMatchObject([{ invariant: 'I4', portfolio: id }]);
  });
});

describe('snapshots of states', () => {
  /** A portfolio of a slice a second after fifty of them, with a snapshot that is changed by `spoil`. */
  async function stagedWith(spoil: (snapshot: StateSnapshot) => StateSnapshot) {
    const clock = new VirtualClock(NOON);
    const ledger = new MemoryLedger({ now: () => clock.now() });
    const kept = new MemoryStateSnapshots(ledger);
    const snapshots: StateSnapshots = {
      load: (portfolio, format) => kept.load(portfolio, format),
      of: (portfolio) => kept.of(portfolio),
      save: (some) => kept.save(some.map(spoil)),
      delete: (portfolios) => kept.delete(portfolios),
    };
    const w = await started(records(snapshots), world({ clock, ledger, snapshots }));
    const legs = [legForm({ quantity: quantity('900') })];
    const id = await submitted(w, form({ legs, twapTrade: { durationSec: 90, frequencySec: 1 } }));
    await w.run(45_500);
    return { w, id, snapshots };
  }

  const spoilt = (snapshot: StateSnapshot): StateSnapshot => ({
    ...snapshot,
    text: snapshot.text.replace('"amendments":0', '"amendments":1'),
  });

  test.each([
    ['contains what the events do not give', spoilt],
    ['cannot be read', (one: StateSnapshot) => ({ ...one, text: '{' })],
    ['is ahead of the ledger', (one: StateSnapshot) => ({ ...one, version: one.version + 9_000 })],
  ])(
    'the auditor reports and deletes a snapshot that %s, and the state is loaded from the events',
    async (_what, spoil) => {
      const { w, id, snapshots } = await stagedWith(spoil);
      await w.run(SOON_MS);
      expect(w.breaches).toMatchObject([{ invariant: 'I15', portfolio: id }]);
      expect(w.breaches[0]?.detail).toContain('snapshot');
      expect(w.halts).toEqual([]);
      expect(await snapshots.of(id)).toBeUndefined();
      await w.run(60_000);
      expect(w.engine.turns.peek(id)).toMatchObject({ status: 'filled', amendments: 0 });
    },
  );

  test('the auditor finds nothing in snapshots that say what the events give, or that have another format', async () => {
    const right = await stagedWith((snapshot) => snapshot);
    await right.w.run(SOON_MS);
    expect(right.w.breaches).toEqual([]);
    expect(await right.snapshots.of(right.id)).toBeDefined();
    const foreign = await stagedWith((snapshot) => ({ ...snapshot, format: 99, text: 'other' }));
    await foreign.w.run(SOON_MS);
    expect(foreign.w.breaches).toEqual([]);
    expect((await foreign.snapshots.of(foreign.id))?.format).toBe(99);
  });
});
