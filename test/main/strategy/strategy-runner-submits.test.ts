// What a strategy runner reports of submits whose answer is lost or late, and that strategies do not wait for each other.
import { describe, expect, test } from 'vitest';
import { isoText, later, MINUTE_MS } from '../../../src/values/instant.ts';
import { FORM, hours, START, setOf, settle, strategy, World } from './runner-world.ts';

describe('a submit of a strategy whose answer is lost', () => {
  test('a due instant is reported as fired when its portfolio is found, and not as skipped, after its grace', async () => {
    const world = new World();
    world.desk.losesAnswers = 'written';
    await world.start().follow(setOf(strategy({ missedWithinMs: 0 })));
    await world.run(later(hours(1), MINUTE_MS));
    expect([world.fired, world.failed]).toEqual([[isoText(hours(1))], []]);
    expect(world.failures.length).toBeGreaterThan(0);
    world.desk.losesAnswers = undefined;
    await world.run(later(hours(2), MINUTE_MS));
    expect(world.fired).toEqual([hours(1), hours(2)].map(isoText));
    expect(world.failed).toEqual([]);
  });

  test('a due instant is reported as fired once when its submit is retried within its grace', async () => {
    const world = new World();
    world.desk.losesAnswers = 'written';
    await world.start().follow(setOf(strategy()));
    await world.run(later(hours(1), 500));
    expect([world.fired, world.failures.length]).toEqual([[], 1]);
    world.desk.losesAnswers = undefined;
    await world.run(later(hours(1), MINUTE_MS));
    expect([world.fired, world.failed]).toEqual([[isoText(hours(1))], []]);
    expect(world.desk.created).toHaveLength(1);
  });

  test('a due instant is reported as skipped after its grace if it has no portfolio', async () => {
    const world = new World();
    world.desk.losesAnswers = 'not written';
    await world.start().follow(setOf(strategy({ missedWithinMs: 0 })));
    await world.run(later(hours(1), MINUTE_MS));
    expect([world.fired, world.failed.length]).toEqual([[], 1]);
    expect(world.failed[0]).toContain(isoText(hours(1)));
  });

  test('a later daemon does not report an instant as skipped that an earlier one submitted before it was killed', async () => {
    const world = new World();
    const first = world.start();
    await first.follow(setOf(strategy()));
    await world.run(later(START, MINUTE_MS));
    world.losesMarks = true;
    await world.run(later(hours(1), 500));
    await first.drain();
    world.losesMarks = false;
    await world.run(later(hours(2), 10 * MINUTE_MS));
    await world.start().follow(setOf(strategy()));
    // What the earlier one submitted is not reported as fired again.
    expect(world.fired).toEqual([isoText(hours(1))]);
    expect(world.failed).toHaveLength(1);
    expect(world.failed[0]).toContain(isoText(hours(2)));
  });

  test('a start strategy whose portfolio is active is reported as fired when its submit is retried', async () => {
    const world = new World();
    world.desk.losesAnswers = 'written';
    await world.start().follow(setOf(strategy({ schedule: { kind: 'start' } })));
    world.desk.losesAnswers = undefined;
    world.desk.active = 1;
    await world.run(later(START, MINUTE_MS));
    expect([world.fired.length, world.desk.created.length]).toEqual([1, 1]);
  });
});

test('a skipped instant is reported once, however often the submit of a later one is retried', async () => {
  const world = new World();
  await world.ledger.setMetadata('strategy-cursor:one', String(START));
  await world.run(later(hours(2), MINUTE_MS));
  world.desk.refuses = 'unavailable';
  await world.start().follow(setOf(strategy()));
  await world.run(later(hours(2), 2 * MINUTE_MS));
  expect(world.desk.asked.length).toBeGreaterThan(3);
  world.desk.refuses = undefined;
  await world.run(later(hours(2), 3 * MINUTE_MS));
  expect(world.fired).toEqual([isoText(hours(2))]);
  expect(world.failed).toHaveLength(1);
  expect(world.failed[0]).toContain(isoText(hours(1)));
});

describe('several strategies', () => {
  const slow = strategy({ name: 'slow', form: { ...FORM, strategy: 'slow' } });

  test('a submit that waits does not delay the other strategies', async () => {
    const world = new World();
    const quoted = Promise.withResolvers<void>();
    world.desk.waits.set('slow', quoted.promise);
    const runner = world.start();
    await runner.follow(setOf(slow, strategy()));
    await world.run(hours(2));
    expect(world.fired).toEqual([hours(1), hours(2)].map(isoText));
    quoted.resolve();
    await settle();
    expect(world.fired).toContain(isoText(hours(1)));
    expect(world.desk.created).toContain(`strategy:slow:${hours(1)}`);
  });

  test('a strategy is checked once at a time: a submit that waits is not repeated', async () => {
    const world = new World();
    const quoted = Promise.withResolvers<void>();
    world.desk.waits.set('slow', quoted.promise);
    const runner = world.start();
    await runner.follow(setOf(slow));
    await world.run(hours(1));
    const followed = runner.follow(setOf(slow));
    await world.run(later(hours(1), 5 * MINUTE_MS));
    expect(world.desk.asked).toEqual([`strategy:slow:${hours(1)}`]);
    quoted.resolve();
    await followed;
    expect(world.desk.asked).toEqual([`strategy:slow:${hours(1)}`]);
  });

  test('closing waits for every submit in flight', async () => {
    const world = new World();
    const quoted = Promise.withResolvers<void>();
    world.desk.waits.set('slow', quoted.promise);
    const runner = world.start();
    await runner.follow(setOf(slow, strategy()));
    await world.run(hours(1));
    let isClosed = false;
    const closed = runner.drain().then(() => {
      isClosed = true;
    });
    await settle();
    expect(isClosed).toBe(false);
    quoted.resolve();
    await closed;
    expect(world.fired).toEqual([hours(1), hours(1)].map(isoText));
  });
});
