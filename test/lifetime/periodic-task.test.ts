import { describe, expect, it } from 'vitest';
import { PeriodicTask } from '../../src/lifetime/periodic-task.ts';
import { observing } from '../../src/ports/observer.ts';
import { instant, later } from '../../src/values/instant.ts';
import { VirtualClock } from '../../src/virtual/virtual-clock.ts';

const START = instant(0);
const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

function stage(what: () => Promise<unknown>) {
  const clock = new VirtualClock(START);
  const failures: unknown[] = [];
  const times: number[] = [];
  const again = new PeriodicTask({
    clock,
    observer: observing({ failed: (failure) => failures.push(failure) }),
    everyMs: 100,
    where: 'place',
    what: () => {
      times.push(clock.now());
      return what();
    },
  });
  const passTo = async (atMs: number): Promise<void> => {
    while (clock.runNext(later(START, atMs))) await turn();
  };
  return { again, failures, times, passTo };
}

describe('a periodic task', () => {
  it('a periodic task first runs one interval after its start', async () => {
    const { again, times, passTo } = stage(() => Promise.resolve());
    await again.start();
    await passTo(350);
    expect(times).toEqual([100, 200, 300]);
  });

  it('a periodic task reports a failure and runs again', async () => {
    const error = new Error('no');
    const { again, times, failures, passTo } = stage(() => Promise.reject(error));
    await again.start();
    await passTo(250);
    expect(times).toEqual([100, 200]);
    expect(failures).toEqual([
      { event: 'failed', where: 'place', error },
      { event: 'failed', where: 'place', error },
    ]);
  });

  it('a periodic task never overlaps: the delay starts when the previous run has ended', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { again, times, passTo } = stage(() => promise);
    await again.start();
    await passTo(1_000);
    expect(times).toEqual([100]);
    resolve();
    await turn();
    await passTo(2_000);
    expect(times.slice(0, 2)).toEqual([100, 200]);
  });

  it('a stopped periodic task does not run again, even if it was stopped during a run', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { again, times, passTo } = stage(() => promise);
    await again.start();
    await passTo(100);
    again.stop();
    resolve();
    await turn();
    await passTo(1_000);
    expect(times).toEqual([100]);
    await again.start();
    again.stop();
    await passTo(2_000);
    expect(times).toEqual([100]);
  });
});
