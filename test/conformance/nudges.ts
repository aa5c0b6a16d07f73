// Contract of every Nudges: a notice reaches the listeners of its topic in the other processes, and not its sender.
import { afterEach, expect, test } from 'vitest';
import type { Nudges } from '../../src/ports/nudges.ts';
import { InvariantBroken } from '../../src/values/assert.ts';
import { until } from '../adapters/until.ts';

export interface NudgesStage {
  /** Two processes of one deployment that hear each other. */
  readonly one: Nudges;
  readonly other: Nudges;
  /** Faults reported by either. */
  readonly faults: readonly unknown[];
  close(): Promise<void>;
}

export function nudgesConformance(open: () => Promise<NudgesStage>): void {
  const opened: NudgesStage[] = [];
  const begin = async (): Promise<NudgesStage> => {
    const stage = await open();
    opened.push(stage);
    return stage;
  };
  afterEach(async () => {
    for (const stage of opened.splice(0)) await stage.close();
  });

  /** Everything that `from` sent before has arrived, or never will: notices keep their order. */
  async function fence(from: Nudges, to: Nudges): Promise<void> {
    let isThere = false;
    const leave = to.onNudge('fence', () => {
      isThere = true;
    });
    from.nudge('fence');
    await until(() => isThere);
    leave();
  }

  test('a nudge reaches the other processes that listen for its topic, with its text', async () => {
    const { one, other } = await begin();
    const heard: string[] = [];
    for (const topic of ['mmp', 'other']) {
      one.onNudge(topic, (text) => heard.push(`one ${topic} ${text}`));
      other.onNudge(topic, (text) => heard.push(`other ${topic} ${text}`));
    }
    one.nudge('mmp', '7 of "9" ünïcode');
    one.nudge('other');
    one.nudge('nobody');
    await fence(one, other);
    await fence(other, one);
    expect(heard).toEqual(['other mmp 7 of "9" ünïcode', 'other other ']);
  });

  test('a listener that has left hears nothing, and leaving twice is harmless', async () => {
    const { one, other } = await begin();
    const heard: string[] = [];
    const leave = other.onNudge('mmp', () => heard.push('left'));
    other.onNudge('mmp', () => heard.push('stays'));
    leave();
    leave();
    one.nudge('mmp');
    await fence(one, other);
    expect(heard).toEqual(['stays']);
  });

  test('an exception of a listener is reported and affects neither the sender nor other listeners', async () => {
    const stage = await begin();
    const { one, other } = stage;
    const heard: string[] = [];
    other.onNudge('mmp', () => {
      throw new Error('deaf');
    });
    other.onNudge('mmp', (text) => heard.push(text));
    one.nudge('mmp', 'a');
    one.nudge('mmp', 'b');
    await fence(one, other);
    expect(heard).toEqual(['a', 'b']);
    const deaf = stage.faults.filter((error) => error instanceof Error && error.message === 'deaf');
    expect(deaf).toHaveLength(2);
  });

  test('a text of 128 characters and a topic of 64 arrive; longer ones and no topic are reported and not sent', async () => {
    const stage = await begin();
    const { one, other } = stage;
    const heard: string[] = [];
    const longest = 't'.repeat(64);
    for (const topic of ['', longest, `${longest}t`]) {
      other.onNudge(topic, (text) => heard.push(`${topic.length} ${text.length}`));
    }
    one.nudge(longest, 'x'.repeat(128));
    one.nudge(longest, 'x'.repeat(129));
    one.nudge(`${longest}t`);
    one.nudge('');
    await fence(one, other);
    expect(heard).toEqual(['64 128']);
    const broken = stage.faults.filter((error) => error instanceof InvariantBroken);
    expect(broken).toHaveLength(3);
  });
}
