// Trading with real money begins held back: a ledger that never traded at a venue starts reducing, once, and what is at
// stake is written to the log.
import { describe, expect, test } from 'vitest';
import type { TradingState } from '../../../src/core/risk/trading-switch.ts';
import { TradingSwitches } from '../../../src/engine/kill-switch/trading-switches.ts';
import { LiveTrading, type LiveTradingOptions } from '../../../src/main/wiring/live-trading.ts';
import type { Reply, VenueNotice } from '../../../src/ports/trading-desk.ts';
import { money } from '../../../src/values/amounts.ts';
import { accountId } from '../../../src/values/ids.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { MemorySwitchRecords } from '../../doubles/memory/memory-switch-records.ts';
import { NOON, perpetual } from '../../support/engine/markets.ts';
import { witness } from '../../support/engine/quiet-observer.ts';

const CONFIG = {
  accounts: [
    { id: '1', name: 'Main', venue: 'live', dummy: false },
    { id: '2', name: 'Its shadow', venue: 'live', dummy: true },
  ],
  limits: { orderUsdMax: '1000', legUsdMax: '5000' },
  controls: { grossUsdMax: { '*': '9', 1: '8' }, slippageUsdMax: { '*': '7' }, positionMax: {} },
} as unknown as LiveTradingOptions['config'];

function stage() {
  const clock = new VirtualClock(NOON);
  const ledger = new MemoryLedger({ now: () => clock.now() });
  const records = new MemorySwitchRecords();
  const lines: string[] = [];
  /** A process on this ledger. */
  const started = async () => {
    const switches = await TradingSwitches.open({ records, clock, observer: witness() });
    const log = {
      warn: (fields: object, message: string) => lines.push(`${message} ${JSON.stringify(fields)}`),
    };
    const live = new LiveTrading({ config: CONFIG, ledger, switches, clock, log });
    return { live, switches, stateNow: () => switches.strictestFor({ account: '1' })?.state };
  };
  const set = (switches: TradingSwitches, state: TradingState): Promise<void> =>
    switches.set({
      scope: 'deployment',
      of: '',
      state,
      reason: 'checked',
      at: clock.now(),
      by: { uid: '7', nickname: 'op' },
    });
  return { ledger, started, lines, set };
}

describe('the first start at a venue with real money', () => {
  test('the deployment is reducing until an operator activates it, and later starts leave it active', async () => {
    const { started, lines, set } = stage();
    const first = await started();
    // The markets and each account connect at the same time.
    await Promise.all([first.live.found('live'), first.live.found('live')]);
    expect(first.stateNow()).toBe('reducing');
    expect(lines.filter((line) => line.includes('switch activate --reason'))).toHaveLength(1);
    const second = await started();
    await second.live.found('live');
    expect(second.stateNow()).toBe('reducing');
    await set(second.switches, 'active');
    const third = await started();
    await third.live.found('live');
    expect(third.stateNow()).toBeUndefined();
    await third.live.found('another venue');
    expect(third.stateNow()).toBe('reducing');
  });

  test('a halt is never loosened', async () => {
    const { started, set } = stage();
    const { live, switches, stateNow } = await started();
    await set(switches, 'halted');
    await live.found('live');
    expect(stateNow()).toBe('halted');
  });

  test('a process killed before it remembered the venue holds trading again', async () => {
    const { started, ledger, set } = stage();
    const first = await started();
    const { initMetadata } = ledger;
    ledger.initMetadata = () => Promise.reject(new Error('killed here'));
    await expect(first.live.found('live')).rejects.toThrow('killed here');
    ledger.initMetadata = initMetadata;
    const second = await started();
    await set(second.switches, 'active');
    await second.live.found('live');
    expect(second.stateNow()).toBe('reducing');
  });

  test('a connection is refused while the ledger is unavailable, and the next one tries again', async () => {
    const { started, ledger } = stage();
    const { live, stateNow } = await started();
    const { getMetadata } = ledger;
    ledger.getMetadata = () => Promise.reject(new Error('the ledger is away'));
    await expect(live.found('live')).rejects.toThrow('the ledger is away');
    ledger.getMetadata = getMetadata;
    await live.found('live');
    expect(stateNow()).toBe('reducing');
  });
});

describe('what is at stake', () => {
  /** A venue of one account, connected when `summary` answers. */
  const venueWith = (summary: () => Promise<Reply<{ readonly equity: unknown }>>) => {
    let notify: (notice: VenueNotice) => void = () => undefined;
    const venue = {
      name: 'live',
      instruments: () => [perpetual()],
      summary,
      subscribe: (listener: typeof notify) => {
        notify = listener;
        return () => undefined;
      },
    };
    const directory = { forAccount: () => venue } as never;
    const reconnect = () => notify({ kind: 'reconnected', accounts: [accountId('1')] });
    return { directory, reconnect };
  };
  const equity = { kind: 'done', value: { equity: money('1.5') } } as const;
  const settled = () => new Promise((done) => setTimeout(done));

  test('each account with real money is written to the log once, with its equity and its limits', async () => {
    const { started, lines } = stage();
    const { live } = await started();
    await live.found('live');
    lines.length = 0;
    const { directory, reconnect } = venueWith(() => Promise.resolve(equity));
    live.announce(directory);
    await settled();
    reconnect();
    await settled();
    expect(lines).toEqual([
      expect.stringContaining('real money: account 1 trades at live; equity 1.5 BTC'),
    ]);
    expect(lines[0]).toContain('"name":"Main"');
    expect(lines[0]).toContain('"orderUsdMax":"1000","legUsdMax":"5000","grossUsdMax":"8"');
  });

  test('an account that cannot be read says so, and is written again once it is connected', async () => {
    const { started, lines } = stage();
    const { live } = await started();
    await live.found('live');
    lines.length = 0;
    let answer: Reply<{ readonly equity: unknown }> = { kind: 'unknown', reason: 'cut off' };
    const { directory, reconnect } = venueWith(() => Promise.resolve(answer));
    live.announce(directory);
    await settled();
    expect(lines).toEqual([expect.stringContaining('equity unknown (BTC: cut off)')]);
    answer = equity;
    reconnect();
    await settled();
    expect(lines[1]).toContain('equity 1.5 BTC');
  });

  test('nothing is written about a venue that trades play money', async () => {
    const { started, lines } = stage();
    const { live } = await started();
    const { directory, reconnect } = venueWith(() => Promise.resolve(equity));
    live.announce(directory);
    reconnect();
    await settled();
    expect(lines).toEqual([]);
  });
});
