// Contract of every SwitchRecords: all settings, in one sequence without gaps.
import { expect, test } from 'vitest';
import type { SwitchSetting } from '../../src/core/risk/trading-switch.ts';
import type { SwitchRecords } from '../../src/ports/switch-records.ts';
import { instant } from '../../src/values/instant.ts';
import { expectRefused, NUL_TEXT } from './refusals.ts';

export const halt = (change: Partial<SwitchSetting> = {}): SwitchSetting => ({
  scope: 'deployment',
  of: '',
  state: 'halted',
  by: { uid: '7', nickname: 'op ünïcode' },
  reason: "it's on fire",
  at: instant(1_767_225_600_000),
  ...change,
});

/** `open` returns another view of the same records. */
export function switchRecordsConformance(open: () => Promise<SwitchRecords>): void {
  test('settings are read in order by every view, from any number on', async () => {
    const [one, other] = [await open(), await open()];
    const start = (await one.after(0)).length;
    const all = [
      halt(),
      halt({ scope: 'account', of: '10001', state: 'reducing' }),
      halt({ state: 'active' }),
    ];
    for (const [index, setting] of all.entries()) {
      expect(await one.add(setting)).toBe(start + index + 1);
    }
    const numbered = all.map((setting, index) => ({ ...setting, number: start + index + 1 }));
    expect(await other.after(start)).toEqual(numbered);
    expect(await other.after(start + 2)).toEqual(numbered.slice(2));
    expect(await one.after(start + 3)).toEqual([]);
  });

  test('concurrent settings are numbered without gaps', async () => {
    const views = [await open(), await open(), await open()];
    const start = (await views[0]?.after(0))?.length ?? 0;
    const adding = views.flatMap((view, index) =>
      [1, 2, 3].map((n) => view.add(halt({ scope: 'strategy', of: `${index}${n}` }))),
    );
    const numbers = (await Promise.all(adding)).sort((a, b) => a - b);
    expect(numbers).toEqual(adding.map((_, index) => start + index + 1));
    expect((await views[1]?.after(start))?.map(({ number }) => number)).toEqual(numbers);
  });

  test('from a number below all or above all every setting or none is read', async () => {
    const records = await open();
    const number = await records.add(halt());
    const all = await records.after(0);
    expect(all.at(-1)).toEqual({ ...halt(), number });
    expect(await records.after(-1)).toEqual(all);
    expect(await records.after(2 ** 40)).toEqual([]);
  });

  test('text with a NUL character is refused, and takes no number', async () => {
    const records = await open();
    const number = await records.add(halt());
    await expectRefused({
      reason: () => records.add(halt({ reason: NUL_TEXT })),
      of: () => records.add(halt({ scope: 'strategy', of: NUL_TEXT })),
      uid: () => records.add(halt({ by: { uid: NUL_TEXT, nickname: 'op' } })),
      nickname: () => records.add(halt({ by: { uid: '7', nickname: NUL_TEXT } })),
    });
    expect(await records.add(halt())).toBe(number + 1);
  });
}
