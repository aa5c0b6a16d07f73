// Strategies switched on and off while the daemon runs, as its interface offers it to gateways.
import { describe, expect, test } from 'vitest';
import { ServedStrategies } from '../../../src/main/strategy/serve-strategies.ts';
import type { Strategy } from '../../../src/main/strategy/strategy.ts';
import type { StrategyRunner } from '../../../src/main/strategy/strategy-runner.ts';
import { isoText, later, MINUTE_MS } from '../../../src/values/instant.ts';
import { hours, setOf, settle, strategy, World } from './runner-world.ts';

const BY = { uid: '7001', nickname: 'desk' };

interface Followed {
  readonly served: ServedStrategies;
  readonly runner: StrategyRunner;
  switchTo(state: 'on' | 'off' | 'file'): Promise<void>;
}

async function followed(world: World, ...strategies: Strategy[]): Promise<Followed> {
  const runner = world.start();
  const served = new ServedStrategies(world);
  const set = setOf(...strategies);
  served.follow(set, runner);
  await runner.follow(set);
  const switchTo = async (state: 'on' | 'off' | 'file'): Promise<void> => {
    const setting = { state, reason: 'drill', by: BY, at: world.clock.now() };
    expect(await served.setSwitch('one', setting)).toEqual({ kind: 'done', value: null });
    await settle();
  };
  return { served, runner, switchTo };
}

describe('a strategy that people switch', () => {
  test('switched off, it is not submitted, and switched on again it owes nothing from before', async () => {
    const world = new World();
    const { switchTo } = await followed(world, strategy());
    await switchTo('off');
    await world.run(later(hours(2), MINUTE_MS));
    expect(world.fired).toEqual([]);
    await switchTo('on');
    await world.run(later(hours(3), MINUTE_MS));
    expect(world.fired).toEqual([isoText(hours(3))]);
    expect(world.failed).toEqual([]);
  });

  test('a switch outlives the daemon, and ends with the state that the file has', async () => {
    const world = new World();
    const first = await followed(world, strategy());
    await first.switchTo('off');
    await first.runner.drain();
    const second = await followed(world, strategy());
    await world.run(later(hours(1), MINUTE_MS));
    expect(world.fired).toEqual([]);
    await second.switchTo('file');
    await world.run(later(hours(2), MINUTE_MS));
    expect(world.fired).toEqual([isoText(hours(2))]);
  });

  test('one that is disabled in its file is submitted once it is switched on', async () => {
    const world = new World();
    const { served, switchTo } = await followed(world, strategy({ enabled: false }));
    expect((await served.view()).strategies).toMatchObject([
      { name: 'one', isEnabledInFile: false, isOn: false, nextDueAt: undefined },
    ]);
    await switchTo('on');
    expect((await served.view()).strategies).toMatchObject([
      { name: 'one', isEnabledInFile: false, isOn: true, nextDueAt: hours(1) },
    ]);
    await world.run(later(hours(1), MINUTE_MS));
    expect(world.fired).toEqual([isoText(hours(1))]);
  });

  test('another daemon that follows it learns of the switch within a minute', async () => {
    const world = new World();
    const { switchTo, runner } = await followed(world, strategy({ enabled: false }));
    const other = world.start();
    await other.follow(setOf(strategy({ enabled: false })));
    await world.run(later(hours(1), -2 * MINUTE_MS));
    await switchTo('on');
    await runner.drain();
    await world.run(later(hours(1), MINUTE_MS));
    expect(world.fired).toEqual([isoText(hours(1))]);
  });

  test('one that runs at each start is submitted when it is switched on', async () => {
    const world = new World();
    const atStart = strategy({ enabled: false, schedule: { kind: 'start' } });
    const { switchTo } = await followed(world, atStart);
    expect(world.fired).toEqual([]);
    await switchTo('on');
    expect(world.fired).toHaveLength(1);
  });

  test('an unknown name is refused', async () => {
    const world = new World();
    const { served } = await followed(world, strategy());
    const setting = { state: 'off', reason: 'drill', by: BY, at: world.clock.now() } as const;
    expect(await served.setSwitch('two', setting)).toMatchObject({
      kind: 'refused',
      rejections: [{ kind: 'not_found', field: 'strategy' }],
    });
  });
});
