import { expect, test } from 'vitest';
import { instant } from '../../../src/values/instant.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { MemoryTurnLog } from '../../../src/virtual/memory/memory-turn-log.ts';
import { turnWith } from '../../conformance/ledger-stage.ts';
import { turnLogConformance } from '../../conformance/turn-log.ts';

turnLogConformance(
  () => {
    const ledger = new MemoryLedger({ now: () => instant(0) });
    return Promise.resolve({ ledger, log: ledger.turnLog });
  },
  (first, count) => {
    const log = new MemoryTurnLog(undefined, first);
    for (let turn = 1; turn < count; turn += 1)
      log.add([turnWith(7, turn, { turn: { tells: 1 } })]);
    return Promise.resolve(log);
  },
);

test('MemoryTurnLog keeps a limited number of the latest groups', async () => {
  const log = new MemoryTurnLog(10);
  for (let turn = 0; turn < 100; turn += 1) {
    log.add([turnWith(7, turn, { turn: { tells: 1 } })]);
    expect(await log.groupsFrom(await log.newestPosition(), 5)).toHaveLength(1);
  }
  expect(await log.groupsFrom(70n, 100)).toBeUndefined();
  expect((await log.groupsFrom(91n, 100))?.map(({ position }) => Number(position))).toEqual([
    91, 92, 93, 94, 95, 96, 97, 98, 99, 100,
  ]);
});
