// What the gate knows of an account when readings and news cross each other.
import { expect, it } from 'vitest';
import { openPaperVenue } from '../../src/adapters/paper/open-paper-venue.ts';
import { NO_LIMITS } from '../../src/core/risk/gate/control-limits.ts';
import { GateAccounts } from '../../src/engine/gate-accounts.ts';
import { seededMarket } from '../../src/exchange/market/market.ts';
import { quantity, text } from '../../src/values/amounts.ts';
import { accountId, instrumentName, venueName } from '../../src/values/ids.ts';
import { later } from '../../src/values/instant.ts';
import { VirtualClock } from '../../src/virtual/virtual-clock.ts';
import { settle } from '../support/engine-world.ts';
import { NOON } from '../support/markets.ts';
import { pastTheGate } from '../support/past-the-gate.ts';
import { witness } from '../support/quiet-observer.ts';

const ACCOUNT = accountId('10001');

/** An account that trades once for each reading of its trades while `isBusy`, just after it was read. */
function busyAccount() {
  const clock = new VirtualClock(NOON);
  const venue = openPaperVenue({
    name: venueName('paper'),
    clock,
    accounts: [{ account: ACCOUNT }],
    market: (bornAt) => seededMarket({ seed: 'gate', startAt: bornAt }),
  });
  const trading = { isBusy: true, orders: 0 };
  const read = venue.tradesSince.bind(venue);
  venue.tradesSince = async (account, from) => {
    const answer = await read(account, from);
    if (trading.isBusy) await buy();
    await new Promise<void>((told) => clock.at(later(clock.now(), 1), told));
    return answer;
  };
  const buy = async (): Promise<void> => {
    trading.orders += 1;
    const reply = await venue.desk.enter(
      pastTheGate({
        ...{ account: ACCOUNT, instrument: instrumentName('BTC-PERPETUAL'), side: 'buy' },
        ...{ type: 'market', quantity: quantity('100'), timeInForce: 'good_til_cancelled' },
        ...{ postOnly: false, rejectPostOnly: false, reduceOnly: false, mmp: false, label: '' },
      } as const),
    );
    expect(reply).toMatchObject({ kind: 'done' });
  };
  const venues = { forAccount: () => venue, all: () => [venue], accounts: () => [ACCOUNT] };
  const limits = () => NO_LIMITS;
  const accounts = new GateAccounts({ clock, venues, limits, observer: witness() });
  const pass = (forMs: number): Promise<void> => clock.run(later(clock.now(), forMs), settle);
  const tradedUsd = (): string | undefined => {
    const view = accounts.viewOf(ACCOUNT, clock.now());
    return view && text(view.grossUsd(''));
  };
  return { accounts, pass, trading, tradedUsd, close: () => venue.close() };
}

it('counts a trade that every reading of the day missed when the next one comes', async () => {
  const { accounts, pass, trading, tradedUsd, close } = busyAccount();
  const started = accounts.start(() => undefined);
  await pass(1_000);
  await started;
  trading.isBusy = false;
  expect(trading.orders).toBeGreaterThan(1);
  await pass(61_000);
  expect(tradedUsd()).toBe(String(100 * trading.orders));
  accounts.stop();
  await close();
});
