// A session against a venue that fails in every way it can, under virtual time: what it sends is judged by the venue's
// rules, how each request ends by whether it arrived.
import { describe, expect, it, test } from 'vitest';
import type { Outcome } from '../../../../src/adapters/deribit/outcome.ts';
import { Credits } from '../../../../src/adapters/deribit/session/credits.ts';
import { Session } from '../../../../src/adapters/deribit/session/rpc-session.ts';
import { VenueClock } from '../../../../src/adapters/deribit/session/venue-clock.ts';
import { WireTally } from '../../../../src/ports/deribit-wire/wire-tally.ts';
import { instant, later } from '../../../../src/values/instant.ts';
import { type Rng, rng } from '../../../../src/values/rng.ts';
import { VirtualClock } from '../../../../src/virtual/virtual-clock.ts';
import { type Chances, HEALTHY, SimulatedVenue } from './simulated-venue.ts';

const NOON = instant(Date.UTC(2026, 10, 23, 12));
const TIMEOUT_MS = 5_000;
const BACKOFF_MAX_MS = 10_000;
const CHANNEL = 'user.changes.any.any.raw';
const MISHAPS: Chances = {
  refuseConnection: 0.2,
  cut: 0.03,
  garble: 0.03,
  silence: 0.03,
  rateEnd: 0.02,
  refuseLogin: 0.1,
  withholdChannel: 0.1,
};

/** Lets promises settle between two timers. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
};

interface Ended {
  readonly mark: string;
  readonly sentMs: number;
  readonly outcome: Outcome;
  readonly endedMs: number;
}

class Act {
  readonly clock = new VirtualClock(NOON);
  readonly venue: SimulatedVenue;
  readonly session: Session;
  readonly ended: Ended[] = [];
  readonly refused: Error[] = [];
  asked = 0;
  ups = 0;
  downs = 0;
  readonly #rng: Rng;

  constructor(seed: string) {
    this.#rng = rng(seed);
    this.venue = new SimulatedVenue(this.clock, this.#rng.split('venue'));
    this.session = new Session({
      url: 'ws://127.0.0.1:1/ws/api/v2',
      name: 'one',
      clock: this.clock,
      trades: true,
      key: { kind: 'deribit', clientId: 'id', clientSecret: 'secret' },
      venueClock: new VenueClock(),
      rng: this.#rng.split('session'),
      rules: {
        timeoutMs: TIMEOUT_MS,
        probeMs: 2_000,
        heartbeatSec: 10,
        backoff: { minMs: 250, maxMs: BACKOFF_MAX_MS, heldMs: 10_000 },
      },
      credits: new Credits(0),
      tally: new WireTally(() => undefined),
      open: this.venue.open,
      checkVenue: () => undefined,
      identify: () => Promise.resolve(),
      channels: [CHANNEL],
      greet: () => Promise.resolve(),
      onUp: () => {
        this.ups += 1;
      },
      onDown: () => {
        this.downs += 1;
      },
      onRefused: (error) => this.refused.push(error),
      onUnreadable: () => undefined,
      onMessage: () => undefined,
      onFault: () => undefined,
    });
  }

  request(method: string): void {
    this.asked += 1;
    const mark = `mark-${this.asked}`;
    const sentMs = this.clock.monotonicMs();
    void this.session.request(method, { mark }).then((outcome) => {
      this.ended.push({ mark, sentMs, outcome, endedMs: this.clock.monotonicMs() });
    });
  }

  async pass(forMs: number): Promise<void> {
    await this.clock.run(later(this.clock.now(), forMs), settle);
    await settle();
  }

  /** Half a minute of requests, heartbeats and cuts. */
  async bustle(): Promise<void> {
    for (let step = 0; step < 60; step += 1) {
      const draw = this.#rng.next();
      if (draw < 0.3) this.request('private/buy');
      else if (draw < 0.5) this.request('private/get_open_orders');
      else if (draw < 0.6) this.request('private/cancel');
      else if (draw < 0.7) this.venue.heartbeat();
      else if (draw < 0.72) this.venue.cut();
      await this.pass(Math.ceil(this.#rng.next() * 1_000));
    }
  }
}

describe('a session with a venue that fails in every way', () => {
  it('a session obeys the rules of the venue, and reports of each request whether it may have arrived', async () => {
    const counted = { result: 0, error: 0, unknown: 0, unsent: 0, refused: 0, downs: 0 };
    for (let seed = 0; seed < 100; seed += 1) {
      const act = new Act(`session-${seed}`);
      act.venue.chances = MISHAPS;
      await act.bustle();
      act.venue.chances = HEALTHY;
      await act.pass(60_000);
      expect(act.venue.breaches, `seed ${seed}`).toEqual([]);
      // Healthy again: within the longest pauses it is up, whatever went before.
      expect(act.session.trouble, `seed ${seed}`).toBeUndefined();
      expect(act.ended, `seed ${seed}`).toHaveLength(act.asked);
      for (const { mark, outcome, sentMs, endedMs } of act.ended) {
        const arrived = act.venue.arrived.get(mark) ?? 0;
        expect(arrived, `${mark} of seed ${seed}: ${outcome.kind}`).toBe(
          outcome.kind === 'unsent' ? 0 : 1,
        );
        expect(endedMs - sentMs).toBeLessThanOrEqual(2 * TIMEOUT_MS);
        counted[outcome.kind] += 1;
      }
      counted.refused += act.refused.length;
      counted.downs += act.downs;
      act.session.close();
    }
    // Every kind of end has been met.
    for (const [kind, count] of Object.entries(counted)) expect(count, kind).toBeGreaterThan(5);
  });

  it('a session is renewed before its token ends, for as long as nothing breaks', async () => {
    const act = new Act('calm');
    await act.pass(600_000);
    act.request('private/get_open_orders');
    await act.pass(1_000);
    expect(act.ended[0]?.outcome.kind).toBe('result');
    expect(act.venue.breaches).toEqual([]);
    expect(act.ups).toBe(1);
    expect(act.venue.logins).toBeGreaterThan(10);
    act.session.close();
  });

  test.each([
    ['its login is refused', { ...HEALTHY, refuseLogin: 1 }],
    ['a channel is withheld', { ...HEALTHY, withholdChannel: 1 }],
    ['every connection is refused', { ...HEALTHY, refuseConnection: 1 }],
  ])('a session sends nothing while %s, and reports the reason', async (_why, chances) => {
    const act = new Act('never');
    act.venue.chances = chances;
    await act.pass(30_000);
    act.request('private/buy');
    await act.pass(10);
    expect(act.ups).toBe(0);
    expect(act.ended[0]?.outcome).toMatchObject({ kind: 'unsent', reason: act.session.trouble });
    expect(act.venue.breaches).toEqual([]);
    act.session.close();
  });
});
