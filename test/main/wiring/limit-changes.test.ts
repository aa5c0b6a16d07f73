import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/main/config/load-config.ts';
import { controlLimits } from '../../../src/main/config/rules/control-limit-rules.ts';
import {
  approvalOf,
  changesBetween,
  LimitChanges,
} from '../../../src/main/wiring/limit-changes.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { NOON } from '../../support/engine/markets.ts';

describe('the differences between two sets of limits', () => {
  test('differences are reported per option, with a list as one option', () => {
    const before = {
      controls: { collar: { bps: 10 }, permits: { '*': ['spot'] }, gone: 1, same: 2 },
    };
    const after = {
      controls: { collar: { bps: 20 }, permits: { '*': ['option'] }, same: 2, fresh: 3 },
    };
    expect(changesBetween(before, after)).toEqual([
      { option: 'controls.collar.bps', from: 10, to: 20 },
      { option: 'controls.fresh', from: undefined, to: 3 },
      { option: 'controls.gone', from: 1, to: undefined },
      { option: 'controls.permits.*', from: ['spot'], to: ['option'] },
    ]);
  });

  test('equal limits are the only ones without differences, and the reverse comparison swaps both sides', () => {
    const limits = fc.dictionary(
      fc.constantFrom('a', 'b', 'c'),
      fc.dictionary(fc.constantFrom('x', 'y'), fc.integer({ min: 0, max: 3 })),
    );
    const plain = (of: object): object => JSON.parse(JSON.stringify(of)) as object;
    fc.assert(
      fc.property(limits, limits, (one, other) => {
        const options = (of: Record<string, Record<string, number>>) =>
          Object.entries(of).flatMap(([a, inner]) =>
            Object.entries(inner).map(([b, value]) => `${a}.${b}=${value}`),
          );
        const isSame = options(one).sort().join() === options(other).sort().join();
        const there = changesBetween(plain(one), plain(other));
        expect(there.length === 0).toBe(isSame);
        const back = changesBetween(plain(other), plain(one));
        expect(back).toEqual(there.map(({ option, from, to }) => ({ option, from: to, to: from })));
      }),
    );
  });
});

describe('limits that take effect', () => {
  test('a change of limits is reported once, and also by a process that starts later', async () => {
    const reading = loadConfig('config/paper.yaml');
    if (reading.kind === 'faulty') throw new Error('config/paper.yaml has faults');
    const config = reading.value;
    const lowered = { ...config, controls: { ...config.controls, rejectsMax: 7 } };
    const ledger = new MemoryLedger({ now: () => NOON });
    const told: object[] = [];
    const process = () =>
      new LimitChanges({
        ledger,
        log: { warn: (what) => void told.push(what) },
        onFault: (error) => told.push({ error }),
      });
    const first = process();
    await first.report(config, 'start');
    expect(told).toEqual([]);
    await Promise.all([first.report(lowered, 'SIGHUP'), first.report(lowered, 'SIGHUP')]);
    const change = { option: 'controls.rejectsMax', from: 50, to: 7, by: 'SIGHUP' };
    expect(told).toMatchObject([change]);
    await process().report(config, 'start');
    expect(told).toMatchObject([change, { from: 7, to: 50, by: 'start' }]);
  });
});

describe('the approval of a change', () => {
  const note = { by: 'Ann', approvedBy: 'Ben', reason: 'the desk grows' };

  test('a change counts as approved only if its approver is not its author, in any spelling', () => {
    expect(approvalOf(undefined, note)).toEqual({
      approved: true,
      author: 'Ann',
      approvedBy: 'Ben',
      reason: 'the desk grows',
    });
    for (const approvedBy of ['Ann', ' ann ', 'ANN']) {
      expect(approvalOf(undefined, { ...note, approvedBy })).toMatchObject({
        approved: false,
        approvedBy,
      });
    }
    const { approvedBy: _, ...alone } = note;
    expect(approvalOf(undefined, alone)).toEqual({
      approved: false,
      author: 'Ann',
      reason: 'the desk grows',
    });
    expect(approvalOf(undefined, undefined)).toEqual({ approved: false });
  });

  test('an approval applies to the change it came with and to no later one, and the note itself is not a limit', async () => {
    const reading = loadConfig('config/paper.yaml');
    if (reading.kind === 'faulty') throw new Error('config/paper.yaml has faults');
    const { limits, controls } = reading.value;
    const ledger = new MemoryLedger({ now: () => NOON });
    const told: object[] = [];
    const changes = new LimitChanges({
      ledger,
      log: { warn: (what: object) => void told.push(what) },
      onFault: (error) => told.push({ error }),
    });
    await changes.report({ limits, controls }, 'start');
    const first = { ...controls, rejectsMax: 7, change: note };
    await changes.report({ limits, controls: first }, 'SIGHUP');
    expect(told).toMatchObject([{ option: 'controls.rejectsMax', approved: true, author: 'Ann' }]);
    await changes.report({ limits, controls: { ...first, rejectsMax: 9 } }, 'SIGHUP');
    expect(told.slice(1)).toMatchObject([{ option: 'controls.rejectsMax', approved: false }]);
    const other = { ...note, reason: 'nothing in particular' };
    await changes.report(
      { limits, controls: { ...first, rejectsMax: 9, change: other } },
      'SIGHUP',
    );
    expect(told).toHaveLength(2);
  });

  test('the note of a change does not change the version of the rules', () => {
    const reading = loadConfig('config/paper.yaml');
    if (reading.kind === 'faulty') throw new Error('config/paper.yaml has faults');
    const { controls } = reading.value;
    const noted = controlLimits({ controls: { ...controls, change: note } });
    expect(noted.version).toBe(controlLimits({ controls }).version);
  });
});
