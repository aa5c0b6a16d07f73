// How many turns are decided at the same time, by how long they take to be stored.
import { describe, expect, it } from 'vitest';
import { TurnWindow } from '../../../src/engine/turns/turn-window.ts';
import { later } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { settle } from '../../support/engine/engine-world.ts';
import { NOON } from '../../support/engine/markets.ts';

type Urgency = Parameters<TurnWindow['enter']>[1];

class Stage {
  readonly clock = new VirtualClock(NOON);
  readonly window = new TurnWindow({ clock: this.clock, settings: { validForMs: 2_000 } });
  /** The turns in the order in which they had a place. */
  readonly begun: string[] = [];
  #under = 0;
  /** The largest number under way at the same time. */
  most = 0;

  async turn(name: string, urgency: Urgency, takesMs: number): Promise<void> {
    const place = await this.window.enter(this.keyOf(name), urgency);
    this.begun.push(name);
    this.#under += 1;
    this.most = Math.max(this.most, this.#under);
    await new Promise<void>((stored) => this.clock.at(later(this.clock.now(), takesMs), stored));
    this.#under -= 1;
    this.window.leave(place);
  }

  readonly #keys = new Map<string, object>();
  keyOf(name: string): object {
    const key = this.#keys.get(name) ?? {};
    this.#keys.set(name, key);
    return key;
  }

  pass(forMs: number): Promise<void> {
    return this.clock.run(later(this.clock.now(), forMs), settle);
  }

  /** `count` turns at once; returns how many were under way together at most. */
  async together(count: number, takesMs: number): Promise<number> {
    this.most = 0;
    for (let index = 0; index < count; index += 1) {
      void this.turn(`${index}`, 'look', takesMs);
    }
    await this.pass(0);
    return this.most;
  }
}

/** A quick turn, so that it is known how long one takes at least, and then turns that take too long. */
async function narrowed(): Promise<Stage> {
  const stage = new Stage();
  for (let round = 0; round < 20; round += 1) {
    await stage.together(8, 1_000);
    await stage.pass(10_000);
  }
  expect(await stage.together(8, 5)).toBeLessThan(8);
  await stage.pass(1_000);
  return stage;
}

describe('the window of turns', () => {
  it('a hundred turns are let in at once, however quick they are', async () => {
    const stage = new Stage();
    for (let round = 0; round < 5; round += 1) {
      expect(await stage.together(100, 2)).toBe(100);
      await stage.pass(100);
    }
  });

  it('of a crowd only as many turns are let in as keep the ledger busy, and the others as those are stored', async () => {
    const stage = new Stage();
    await stage.together(100, 5);
    await stage.pass(100);
    expect(await stage.together(1_000, 5)).toBe(128);
    await stage.pass(50);
    expect(stage.window.waiting).toBe(0);
    expect(stage.most).toBe(128);
  });

  it('more turns are let in the longer the quickest of them takes', async () => {
    const stage = new Stage();
    await stage.together(100, 50);
    await stage.pass(100);
    expect(await stage.together(1_000, 50)).toBe(16 * 50);
  });

  it('the window stays wide on a ledger that is slow for every turn alike', async () => {
    const stage = new Stage();
    for (let round = 0; round < 20; round += 1) {
      expect(await stage.together(100, 400)).toBe(100);
      await stage.pass(400);
    }
  });

  it('the window widens again within a second once turns are quick', async () => {
    const stage = await narrowed();
    await stage.together(1_000, 5);
    await stage.pass(1_000);
    expect(stage.window.waiting).toBe(0);
    expect(await stage.together(100, 5)).toBe(100);
  });

  it('one outage narrows the window once, however many turns it held up', async () => {
    const stage = new Stage();
    await stage.together(100, 10_000);
    await stage.pass(10_000);
    expect(await stage.together(100, 5)).toBeGreaterThanOrEqual(60);
  });

  it('requests are let in first, then answers, and what has become more urgent with them', async () => {
    const stage = new Stage();
    // A window of one.
    for (let round = 0; round < 40; round += 1) {
      void stage.turn(`slow ${round}`, 'look', 1_000);
      await stage.pass(1_000);
    }
    void stage.turn('running', 'look', 1_000);
    void stage.turn('look', 'look', 1);
    void stage.turn('hastened', 'look', 1);
    void stage.turn('answer', 'answer', 1);
    void stage.turn('request', 'request', 1);
    stage.window.hasten(stage.keyOf('hastened'), 'request');
    stage.window.hasten(stage.keyOf('request'), 'answer');
    await stage.pass(5_000);
    expect(stage.begun.slice(-5)).toEqual(['running', 'request', 'hastened', 'answer', 'look']);
  });
});
