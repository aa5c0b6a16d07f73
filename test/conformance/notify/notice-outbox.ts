// Contract of every outbox of notices: a happening is kept once however often it is added, waits for each channel that
// reports it until it is settled there, and is read and sent by one member at a time.
import { expect, test } from 'vitest';
import type { Happening } from '../../../src/core/notify/happening.ts';
import type { NoticeOutbox } from '../../../src/ports/notify/notice-outbox.ts';
import { later } from '../../../src/values/instant.ts';
import { expectRefused, NUL_TEXT } from '../refusals.ts';
import { AT, happened } from './notices.ts';

export interface OutboxStage {
  /** Another view of the same outbox, as another daemon has it. */
  readonly view: () => NoticeOutbox;
  /** Lets the time pass by which a lead runs out. */
  readonly pass: (ms: number) => Promise<void>;
}

const told = (happening: Happening, ...channels: string[]) => ({ happening, channels });

/** `open` returns an empty outbox. */
export function noticeOutboxConformance(open: () => Promise<OutboxStage>): void {
  const keys = async (outbox: NoticeOutbox, channel: string, limit = 10): Promise<string[]> =>
    (await outbox.waiting(channel, limit)).map(({ happening }) => happening.key);

  test('a happening waits for its channels as it was added, in order, for every daemon', async () => {
    const { view } = await open();
    const [one, other] = [view(), view()];
    const happenings = [
      told(happened('b', { againAfterMs: 5 }), 'desk', 'mail'),
      told(happened('a'), 'desk'),
      told(happened('c')),
    ];
    expect(await one.add({ happenings })).toBe(3);
    const waiting = await other.waiting('desk', 10);
    expect(waiting.map(({ happening }) => happening)).toEqual([
      happened('b', { againAfterMs: 5 }),
      happened('a'),
    ]);
    expect(await keys(other, 'mail')).toEqual(['b']);
    expect(await keys(other, 'desk', 1)).toEqual(['b']);
  });

  test('a happening that is known by its key is left out, from any daemon', async () => {
    const { view } = await open();
    const same = () => view().add({ happenings: [told(happened('x'), 'desk')] });
    const counts = await Promise.all([same(), same(), same()]);
    expect(counts.toSorted()).toEqual([0, 0, 1]);
    expect(await same()).toBe(0);
    expect(await keys(view(), 'desk')).toEqual(['x']);
  });

  test('what may happen again is kept again after its time', async () => {
    const { view } = await open();
    const at = (afterMs: number) =>
      view().add({
        happenings: [
          told(happened('venue', { at: later(AT, afterMs), againAfterMs: 1_000 }), 'desk'),
        ],
      });
    expect([await at(0), await at(999), await at(1_000), await at(1_500)]).toEqual([1, 0, 1, 0]);
    expect(await keys(view(), 'desk')).toEqual(['venue', 'venue']);
  });

  test('happenings of one key that are added together are judged in their order, each by the one kept before it', async () => {
    const { view } = await open();
    const outbox = view();
    const at = (afterMs: number, channel: string) =>
      told(happened('venue', { at: later(AT, afterMs), againAfterMs: 1_000 }), channel);
    expect(
      await outbox.add({ happenings: [told(happened('a'), 'desk'), told(happened('a'), 'mail')] }),
    ).toBe(1);
    expect(await keys(outbox, 'mail')).toEqual([]);
    const first = [
      at(0, 'desk'),
      at(0, 'mail'),
      at(999, 'desk'),
      at(1_000, 'desk'),
      at(1_500, 'mail'),
    ];
    expect(await outbox.add({ happenings: first })).toBe(2);
    const more = [at(1_999, 'desk'), at(2_000, 'desk'), at(2_999, 'desk'), at(3_000, 'mail')];
    expect(await outbox.add({ happenings: more })).toBe(2);
    expect(await keys(outbox, 'desk')).toEqual(['a', 'venue', 'venue', 'venue']);
    const waiting = await outbox.waiting('mail', 10);
    expect(waiting.map(({ happening }) => happening.at)).toEqual([later(AT, 3_000)]);
  });

  test('text with a NUL character is refused where a happening is known by it, and nothing is added', async () => {
    const { view } = await open();
    const outbox = view();
    const [one, other] = [told(happened('a'), 'desk'), told(happened('b'), 'desk')];
    await expectRefused({
      key: () => outbox.add({ happenings: [one, told(happened(NUL_TEXT), 'desk')] }),
      channel: () => outbox.add({ happenings: [one, told(happened('b'), NUL_TEXT)] }),
      position: () =>
        outbox.add({ happenings: [one], cursor: { source: 's', position: NUL_TEXT } }),
      cursor: () => outbox.cursor(NUL_TEXT),
      waiting: () => outbox.waiting(NUL_TEXT, 10),
      settle: () => outbox.settle(NUL_TEXT, [1], 'sent'),
      lead: () => outbox.lead(NUL_TEXT, 10),
      leave: () => outbox.leave(NUL_TEXT),
    });
    expect(await keys(outbox, 'desk')).toEqual([]);
    expect(await outbox.add({ happenings: [one, other] })).toBe(2);
  });

  test('backlogs are listed by the code points of their channels', async () => {
    const { view } = await open();
    await view().add({ happenings: [told(happened('a'), 'b', 'B', 'é', 'a', 'Z')] });
    expect((await view().backlog()).map(({ channel }) => channel)).toEqual([
      'B',
      'Z',
      'a',
      'b',
      'é',
    ]);
  });

  test('what is settled waits no longer in that channel, and keeps its first outcome', async () => {
    const { view } = await open();
    const outbox = view();
    await outbox.add({
      happenings: ['a', 'b'].map((key) => told(happened(key), 'desk', 'mail')),
    });
    const [first, second] = (await outbox.waiting('desk', 10)).map(({ number }) => number);
    await outbox.settle('desk', [first ?? 0], 'sent');
    await outbox.settle('desk', [first ?? 0, second ?? 0], 'dropped');
    expect(await keys(outbox, 'desk')).toEqual([]);
    expect(await keys(outbox, 'mail')).toEqual(['a', 'b']);
    expect(await outbox.backlog()).toEqual([
      { channel: 'desk', waiting: 0, sent: 1, dropped: 1 },
      { channel: 'mail', waiting: 2, sent: 0, dropped: 0, oldestAt: AT },
    ]);
  });

  test('a cursor moves with what was read up to it', async () => {
    const { view } = await open();
    expect(await view().cursor('turns')).toBeUndefined();
    await view().add({ happenings: [], cursor: { source: 'turns', position: '9' } });
    await view().add({
      happenings: [told(happened('a'), 'desk')],
      cursor: { source: 'turns', position: '10' },
    });
    await view().add({ happenings: [], cursor: { source: 'switches', position: '2' } });
    expect(await view().cursor('turns')).toBe('10');
    expect(await view().cursor('switches')).toBe('2');
  });

  test('one member leads until it leaves or says nothing for its time', async () => {
    const { view, pass } = await open();
    expect(await view().lead('one', 600_000)).toBe(true);
    expect(await view().lead('other', 600_000)).toBe(false);
    expect(await view().lead('one', 600_000)).toBe(true);
    await view().leave('other');
    expect(await view().lead('other', 50)).toBe(false);
    await view().leave('one');
    expect(await view().lead('other', 50)).toBe(true);
    await pass(60);
    expect(await view().lead('one', 600_000)).toBe(true);
  });

  test('old happenings are forgotten where nothing of them waits', async () => {
    const { view } = await open();
    const outbox = view();
    const young = happened('young', { at: later(AT, 10) });
    await outbox.add({
      happenings: [told(happened('sent'), 'desk'), told(happened('waits'), 'desk'), told(young)],
    });
    const [sent] = await outbox.waiting('desk', 1);
    await outbox.settle('desk', [sent?.number ?? 0], 'sent');
    await outbox.forget(later(AT, 5));
    expect(await keys(outbox, 'desk')).toEqual(['waits']);
    const again = [happened('sent'), happened('waits'), young];
    expect(await outbox.add({ happenings: again.map((one) => told(one)) })).toBe(1);
  });
}
