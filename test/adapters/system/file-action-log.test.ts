import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  array,
  asyncProperty,
  constantFrom,
  assert as hold,
  integer,
  option,
  record,
  string,
} from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import {
  FileActionLog,
  type FileActionLogOptions,
} from '../../../src/adapters/system/file-action-log.ts';
import type { Action } from '../../../src/ports/action-log.ts';
import { accountId } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import { actionAt, actionLogConformance } from '../../conformance/action-log.ts';
import { until } from '../until.ts';

const cleanUp: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'twapd-actions-'));
  cleanUp.push(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'actions');
}

async function openAt(
  folder: string,
  options: Partial<FileActionLogOptions> = {},
): Promise<FileActionLog> {
  const onFault = (error: unknown): never => {
    throw error;
  };
  const log = await FileActionLog.open({ folder, onFault, gatherMs: 1, retryMs: 5, ...options });
  cleanUp.push(() => log.close());
  return log;
}

const times = async (log: FileActionLog, limit = 100): Promise<number[]> =>
  (await log.find({ limit })).map(({ at }) => at);

describe('FileActionLog', () => {
  actionLogConformance(async () => await openAt(newFolder()));

  test('recorded actions are readable by another process, even after a close', async () => {
    const folder = newFolder();
    const log = await FileActionLog.open({ folder, onFault: () => undefined });
    void log.record(actionAt(1));
    await log.close();
    const again = await openAt(folder);
    await again.record(actionAt(2));
    expect(await again.find({ limit: 10 })).toEqual([actionAt(2), actionAt(1)]);
  });

  test('a full file is followed by another, and reading spans all files', async () => {
    const folder = newFolder();
    const log = await openAt(folder, { fileBytesMax: 1_000 });
    const all = Array.from({ length: 20 }, (_, at) => at);
    for (const at of all) await log.record(actionAt(at));
    expect(readdirSync(folder).length).toBeGreaterThan(2);
    expect(await times(log)).toEqual(all.toReversed());
    expect(await times(log, 12)).toEqual(all.toReversed().slice(0, 12));
    await log.close();
    const again = await openAt(folder, { fileBytesMax: 1_000 });
    await again.record(actionAt(20));
    expect(await times(again)).toEqual([20, ...all.toReversed()]);
  });

  test('a line that a crash cut short is reported and skipped, without affecting others', async () => {
    const folder = newFolder();
    const log = await openAt(folder);
    await log.record(actionAt(1));
    await log.close();
    const [name = ''] = readdirSync(folder);
    appendFileSync(join(folder, name), '{"at":2,"keyId":"de');
    const told: string[] = [];
    const onFault = (error: unknown): number => told.push(String(error));
    const again = await openAt(folder, { onFault });
    await again.record(actionAt(3));
    expect(await times(again)).toEqual([3, 1]);
    expect(told).toEqual([expect.stringContaining(`${name}:2 is not an action`)]);
  });

  test('a line that is still being written is not read', async () => {
    const folder = newFolder();
    const log = await openAt(folder);
    await log.record(actionAt(1));
    const [name = ''] = readdirSync(folder);
    appendFileSync(join(folder, name), '{"at":2');
    expect(await times(log)).toEqual([1]);
  });

  test('while nothing can be written, record resolves anyway, the log reports that it is behind, and writes later', async () => {
    const folder = newFolder();
    const faults: unknown[] = [];
    const onFault = (error: unknown): number => faults.push(error);
    const log = await openAt(folder, { onFault, fileBytesMax: 1, behindFrom: 3 });
    await log.record(actionAt(1));
    const kept = readFileSync(join(folder, '000001.jsonl'), 'utf8');
    rmSync(folder, { recursive: true });
    await log.record(actionAt(2));
    await log.record(actionAt(3));
    expect(log.isBehind).toBe(false);
    await log.record(actionAt(4));
    expect([log.isBehind, faults.length]).toEqual([true, 1]);
    await mkdir(folder);
    appendFileSync(join(folder, '000001.jsonl'), kept);
    await until(() => !log.isBehind);
    expect(await times(log)).toEqual([4, 3, 2, 1]);
    expect(faults).toHaveLength(1);
  });

  test('every action is stored exactly, whatever its texts contain', async () => {
    const text = string({ unit: 'binary', maxLength: 20, size: 'max' });
    const maybe = option(text, { nil: undefined });
    const actions = array(
      record<Action>({
        at: integer({ min: 0, max: 4_000_000_000_000 }).map(instant),
        keyId: text,
        uid: text,
        nickname: text,
        address: text,
        method: constantFrom('private/buy', 'block/rfqs/create_quote'),
        account: text.map(accountId),
        instrument: maybe,
        label: maybe,
        orderId: maybe,
        outcome: text,
      }),
      { maxLength: 20, size: 'max' },
    );
    await hold(
      asyncProperty(actions, integer({ min: 1, max: 3_000 }), async (given, fileBytesMax) => {
        const folder = newFolder();
        const log = await openAt(folder, { fileBytesMax, gatherMs: 0 });
        await Promise.all(given.map((action) => log.record(action)));
        await log.close();
        const again = await openAt(folder);
        expect(await again.find({ limit: 100 })).toEqual(given.toReversed());
      }),
      { numRuns: 25 },
    );
  });
});
