import { describe, expect } from 'vitest';
import { SystemClock } from '../../../../src/adapters/system/system-clock.ts';
import { HOUR_MS, MINUTE_MS } from '../../../../src/values/instant.ts';
import { transactionConformance } from '../../../conformance/account/transactions.ts';
import { ACCOUNT, BTC, NOON } from '../../paper/paper-stage.ts';
import { until } from '../../until.ts';
import { ALL_ACCOUNTS, connectTo } from '../connect-deribit.ts';
import { serveDeribit } from '../deribit-stage.ts';

const STEP_MS = 4_000;

/** Two minutes before a settlement, with the means to jump ahead. */
function clockBeforeSettlement() {
  let aheadMs = 20 * HOUR_MS - 2 * MINUTE_MS;
  const begun = performance.now();
  const wallMs = (): number => NOON + aheadMs + Math.floor(performance.now() - begun);
  const source = { wallMs, monotonicMs: () => performance.now() };
  const jump = (byMs: number): void => {
    aheadMs += byMs;
  };
  return { clock: new SystemClock({ source, unref: true }), jump };
}

describe('the transaction log by the Deribit adapter at a paper exchange over a real socket', () => {
  transactionConformance(async () => {
    const { clock, jump } = clockBeforeSettlement();
    const exchange = await serveDeribit({ clock });
    const { venue, now, pass, faults } = await connectTo(exchange.url, {
      clock,
      accounts: ALL_ACCOUNTS.slice(0, 1),
    });
    venue.watch(BTC);
    await until(() => venue.quote(BTC)?.bid !== undefined);
    const close = async (): Promise<void> => {
      await venue.close();
      await exchange.close();
      expect([faults, exchange.reported]).toEqual([[], []]);
    };
    const passSettlement = async (): Promise<void> => {
      // In steps, with a request and a quote in each: a connection or a market that seems silent is a fault.
      for (let aheadMs = 0; aheadMs < 3 * MINUTE_MS; aheadMs += STEP_MS) {
        jump(STEP_MS);
        const jumpedAt = clock.now();
        await venue.positions({ account: ACCOUNT });
        await until(() => (venue.quote(BTC)?.seenAt ?? 0) >= jumpedAt);
      }
      await pass(50);
    };
    return { venue, now, pass, passSettlement, close, account: ACCOUNT, instrument: BTC };
  });
});
