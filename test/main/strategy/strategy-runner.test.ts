import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Strategy } from '../../../src/main/strategy/strategy.ts';
import type { Schedule } from '../../../src/main/strategy/strategy-schedule.ts';
import { HOUR_MS, type Instant, isoText, later, MINUTE_MS } from '../../../src/values/instant.ts';
import type { WallTime } from '../../../src/values/wall-time.ts';
import { hours, START, setOf, settle, strategy, World } from './runner-world.ts';

describe('a strategy with a timetable', () => {
  test('a strategy fires at every due instant and not in between', async () => {
    const world = new World();
    await world.start().follow(setOf(strategy()));
    await world.run(later(hours(3), 30 * MINUTE_MS));
    expect(world.fired).toEqual([hours(1), hours(2), hours(3)].map(isoText));
    expect(world.desk.asked).toEqual([1, 2, 3].map((hour) => `strategy:one:${hours(hour)}`));
  });

  test('a strategy owes nothing from before it was first seen', async () => {
    const world = new World();
    await world.run(later(hours(5), MINUTE_MS));
    await world.start().follow(setOf(strategy()));
    await world.run(later(hours(5), 2 * MINUTE_MS));
    expect(world.fired).toEqual([]);
  });

  test('a strategy fires once per due instant, however often and whenever the daemon is killed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ afterMin: fc.integer({ min: 0, max: 40 }), losesMarks: fc.boolean() }),
          {
            maxLength: 6,
          },
        ),
        async (kills) => {
          const world = new World();
          await world.ledger.setMetadata('strategy-cursor:one', String(START));
          let runner = world.start();
          await runner.follow(setOf(strategy()));
          for (const { afterMin, losesMarks } of kills) {
            world.losesMarks = losesMarks;
            await world.run(later(world.clock.now(), afterMin * MINUTE_MS));
            await runner.drain();
            world.losesMarks = false;
            runner = world.start();
            await runner.follow(setOf(strategy()));
          }
          await world.run(hours(4));
          const expected = Array.from(
            { length: 4 },
            (_, hour) => `strategy:one:${hours(hour + 1)}`,
          );
          expect(world.desk.created).toEqual(expected);
        },
      ),
      { numRuns: 8 },
    );
  });

  test('a missed due instant within the grace is made up for, and an older one is reported as skipped', async () => {
    const world = new World();
    const first = world.start();
    await first.follow(setOf(strategy()));
    await world.run(later(START, MINUTE_MS));
    await first.drain();
    await world.run(later(hours(2), 4 * MINUTE_MS));
    const second = world.start();
    await second.follow(setOf(strategy()));
    expect(world.fired).toEqual([isoText(hours(2))]);
    expect(world.failed[0]).toContain(isoText(hours(1)));
    await second.drain();
    await world.run(later(hours(3), 6 * MINUTE_MS));
    await world.start().follow(setOf(strategy()));
    expect(world.fired).toEqual([isoText(hours(2))]);
    expect(world.failed[1]).toContain(isoText(hours(3)));
  });

  test('a strategy without grace still fires when it is on time', async () => {
    const world = new World();
    await world.start().follow(setOf(strategy({ missedWithinMs: 0 })));
    await world.run(hours(1));
    expect(world.fired).toEqual([isoText(hours(1))]);
  });

  test('a refused strategy is reported, and not retried for that instant', async () => {
    const world = new World();
    world.desk.refuses = 'risk_limit';
    await world.start().follow(setOf(strategy()));
    await world.run(later(hours(1), 30 * MINUTE_MS));
    expect(world.failed).toEqual(['one.yaml:7:3 legs[0].quantity: is too large']);
    expect(world.desk.asked).toHaveLength(1);
  });

  test('a strategy that cannot be decided now is retried with the same key', async () => {
    const world = new World();
    world.desk.refuses = 'unavailable';
    await world.start().follow(setOf(strategy()));
    await world.run(later(hours(1), MINUTE_MS / 2));
    expect([world.fired, world.failed]).toEqual([[], []]);
    expect(world.failures.length).toBeGreaterThan(0);
    world.desk.refuses = undefined;
    await world.run(later(hours(1), MINUTE_MS));
    expect(world.fired).toEqual([isoText(hours(1))]);
    expect(new Set(world.desk.asked).size).toBe(1);
  });

  test('a strategy without grace that cannot be decided at its due instant is retried while it is on time', async () => {
    const world = new World();
    world.desk.refuses = 'unavailable';
    await world.start().follow(setOf(strategy({ missedWithinMs: 0 })));
    await world.run(later(hours(1), 500));
    expect(world.failures).toHaveLength(1);
    world.desk.refuses = undefined;
    await world.run(later(hours(1), 4_000));
    expect([world.fired, world.failed]).toEqual([[isoText(hours(1))], []]);
  });

  test('tries come further and further apart while a strategy cannot be decided, and start again from one second', async () => {
    const world = new World();
    world.desk.refuses = 'unavailable';
    await world.start().follow(setOf(strategy()));
    await world.run(later(hours(1), 20_000));
    // At 0, 1, 3, 7, 12 and 17 s.
    expect(world.failures).toHaveLength(6);
    world.desk.refuses = undefined;
    await world.run(hours(1.5));
    world.desk.refuses = 'unavailable';
    await world.run(later(hours(2), 2_500));
    expect(world.failures).toHaveLength(8);
  });

  test('a strategy that is disabled or has no schedule does nothing', async () => {
    const world = new World();
    const off = strategy({ enabled: false });
    await world.start().follow(setOf(off, strategy({ name: 'two', schedule: undefined })));
    await world.run(hours(2));
    expect(world.desk.asked).toEqual([]);
  });

  test('an edited strategy is followed from the moment it is loaded', async () => {
    const world = new World();
    const runner = world.start();
    await runner.follow(setOf(strategy()));
    await world.run(later(hours(1), MINUTE_MS));
    const halfPast: Schedule = { kind: 'cron', cron: '30 * * * *', zone: 'Etc/UTC' };
    await runner.follow(setOf(strategy({ schedule: halfPast })));
    await world.run(hours(2));
    await runner.follow(setOf());
    await world.run(hours(4));
    expect(world.fired).toEqual([hours(1), later(hours(1), 30 * MINUTE_MS)].map(isoText));
  });

  test('a strategy fires on time after the clock was set', async () => {
    const world = new World();
    const daily: Schedule = { kind: 'cron', cron: '0 18 * * *', zone: 'Etc/UTC' };
    await world.start().follow(setOf(strategy({ schedule: daily })));
    await settle();
    world.clock.stepWall(5 * HOUR_MS + 59 * MINUTE_MS);
    await world.run(later(hours(6), 2 * MINUTE_MS));
    expect(world.fired).toEqual([isoText(hours(6))]);
  });
});

describe('a strategy with one date', () => {
  const once = (at: Instant): Strategy =>
    strategy({ schedule: { kind: 'once', wall: Number(at) as WallTime, zone: 'Etc/UTC' } });

  test('a strategy with one date fires then, once', async () => {
    const world = new World();
    const runner = world.start();
    await runner.follow(setOf(once(hours(1))));
    await world.run(hours(2));
    await runner.drain();
    await world.start().follow(setOf(once(hours(1))));
    await world.run(hours(3));
    expect(world.fired).toEqual([isoText(hours(1))]);
  });

  test('a strategy with one date fires if loaded slightly late, but not if it is old', async () => {
    const world = new World();
    await world.run(later(hours(1), 2 * MINUTE_MS));
    await world.start().follow(setOf(once(hours(1))));
    expect(world.fired).toEqual([isoText(hours(1))]);
    const late = new World();
    await late.run(later(hours(1), 6 * MINUTE_MS));
    await late.start().follow(setOf(once(hours(1))));
    expect(late.fired).toEqual([]);
  });
});

describe('a strategy at every start', () => {
  const atStart = strategy({ schedule: { kind: 'start' } });

  test('a start strategy fires once per start, even if the folder is read again', async () => {
    const world = new World();
    const runner = world.start();
    await runner.follow(setOf(atStart));
    await runner.follow(setOf(atStart));
    await runner.drain();
    await world.start().follow(setOf(atStart));
    expect(world.desk.created).toEqual(['strategy:one:start-1', 'strategy:one:start-2']);
  });

  test('a start strategy does not fire while its own portfolio is still active', async () => {
    const world = new World();
    world.desk.active = 1;
    await world.start().follow(setOf(atStart));
    expect(world.desk.asked).toEqual([]);
  });
});

test('a failing ledger is reported, and retried', async () => {
  const world = new World();
  world.losesMarks = true;
  await world.start().follow(setOf(strategy()));
  expect(world.failures).toHaveLength(1);
  world.losesMarks = false;
  await world.run(hours(1));
  expect(world.fired).toEqual([isoText(hours(1))]);
});
