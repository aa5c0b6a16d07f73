// Contract of every PeerCounts: published counts reach the other processes and not the publisher.
import { afterEach, expect, test } from 'vitest';
import type { Counts, PeerCounts } from '../../src/ports/peer-counts.ts';
import { until } from '../adapters/until.ts';

/** `open` starts another process of the same deployment, ready to receive. */
export function peerCountsConformance(open: () => Promise<PeerCounts>): void {
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
}
