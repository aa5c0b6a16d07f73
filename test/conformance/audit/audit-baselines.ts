// Contract of every AuditBaselines: the last positions of each account that agreed with its venue.
import { expect, test } from 'vitest';
import type { AuditBaselines } from '../../../src/ports/audit-reads.ts';
import { accountId, instrumentName } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';

const ACCOUNT = accountId('10001');
const OTHER = accountId('10002');
const PERP = instrumentName('BTC-PERPETUAL');

/** `open` returns another view of the same records; every test removes what it put. */
export function auditBaselinesConformance(open: () => Promise<AuditBaselines>): void {
  test('the last baseline of an account is stored, and every view sees it', async () => {
    const [one, other] = [await open(), await open()];
    expect(await one.of(ACCOUNT)).toBeUndefined();
    const positions = { [PERP]: '-30' };
    await one.put(ACCOUNT, { at: instant(1), positions: {} });
    await one.put(ACCOUNT, { at: instant(1_795_252_777_402), positions });
    expect(await other.of(ACCOUNT)).toEqual({ at: 1_795_252_777_402, positions });
    await one.put(ACCOUNT, { at: instant(2), positions: {} });
    expect(await other.of(ACCOUNT)).toEqual({ at: 2, positions: {} });
    await other.remove(ACCOUNT);
    expect(await one.of(ACCOUNT)).toBeUndefined();
  });

  test('accounts are independent of each other, and to remove what is not there is no fault', async () => {
    const baselines = await open();
    const kept = { at: instant(5), positions: { [PERP]: '0.1234567890123456789' } };
    await baselines.put(OTHER, kept);
    await baselines.remove(ACCOUNT);
    expect(await baselines.of(ACCOUNT)).toBeUndefined();
    expect(await baselines.of(OTHER)).toEqual(kept);
    await baselines.remove(OTHER);
  });
}
