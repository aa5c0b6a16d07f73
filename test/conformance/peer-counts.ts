// Contract of every PeerCounts: published counts reach the other processes and not the publisher.
import { afterEach, expect, test } from 'vitest';
import type { Counts, PeerCounts } from '../../src/ports/peer-counts.ts';
import { until } from '../adapters/until.ts';

/** `open` starts another process of the same deployment, ready to receive. `faults`: those reported by all of them. */
export function peerCountsConformance(
  open: () => Promise<PeerCounts>,
  faults: () => readonly unknown[],
): void {
  const opened: PeerCounts[] = [];
  const enter = async (): Promise<{ end: PeerCounts; heard: Counts[] }> => {
    const end = await open();
    opened.push(end);
    const heard: Counts[] = [];
    end.listen((counts) => heard.push(counts));
    return { end, heard };
  };
  afterEach(async () => {
    for (const end of opened.splice(0)) await end.close();
  });

  test('published counts reach the other processes and not the publisher', async () => {
    const [one, two, three] = [await enter(), await enter(), await enter()];
    one.end.publish({ 'keys order a': 3, 'open 10.0.0.0': 1 });
    two.end.publish({ 'keys order a': 2 });
    await until(() => three.heard.length === 2 && one.heard.length === 1 && two.heard.length === 1);
    expect(three.heard).toContainEqual({ 'keys order a': 3, 'open 10.0.0.0': 1 });
    expect(three.heard).toContainEqual({ 'keys order a': 2 });
    expect(one.heard).toEqual([{ 'keys order a': 2 }]);
    expect(two.heard).toEqual([{ 'keys order a': 3, 'open 10.0.0.0': 1 }]);
  });

  test('a process that unsubscribed receives no more counts', async () => {
    const [one, two] = [await enter(), await enter()];
    const late: Counts[] = [];
    const stop = two.end.listen((counts) => late.push(counts));
    stop();
    one.end.publish({ 'keys order a': 1 });
    await until(() => two.heard.length === 1);
    expect(late).toEqual([]);
  });

  test('an exception of a listener is reported and affects neither the publisher nor other listeners', async () => {
    const [one, two] = [await enter(), await open()];
    opened.push(two);
    two.listen(() => {
      throw new Error('deaf');
    });
    const heard: Counts[] = [];
    two.listen((counts) => heard.push(counts));
    one.end.publish({ a: 1 });
    await until(() => heard.length === 1);
    const deaf = faults().filter((error) => error instanceof Error && error.message === 'deaf');
    expect(deaf).toHaveLength(1);
  });

  test('only whole numbers above zero are passed on', async () => {
    const [one, two] = [await enter(), await enter()];
    one.end.publish({ a: 0, b: -1, c: 0.5, d: 2 ** 53, e: 7 });
    await until(() => two.heard.length === 1);
    expect(two.heard).toEqual([{ e: 7 }]);
  });

  test('a process that has closed neither publishes nor hears', async () => {
    const [one, two, three] = [await enter(), await enter(), await enter()];
    await one.end.close();
    one.end.publish({ gone: 1 });
    two.end.publish({ here: 1 });
    await until(() => three.heard.length === 1);
    three.end.publish({ fence: 1 });
    await until(() => two.heard.length === 1);
    expect([one.heard, two.heard, three.heard]).toEqual([[], [{ fence: 1 }], [{ here: 1 }]]);
  });
}
