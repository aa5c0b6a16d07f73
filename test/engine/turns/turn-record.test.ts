import { describe, expect, it } from 'vitest';
import type { PortfolioCommand } from '../../../src/core/portfolio/aggregate/portfolio-command.ts';
import type { Intent } from '../../../src/core/portfolio/aggregate/portfolio-intent.ts';
import { deferrableMs } from '../../../src/engine/turns/turn-record.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { childLabel, deploymentId, instrumentName, portfolioId } from '../../../src/values/ids.ts';
import { instant, later } from '../../../src/values/instant.ts';

const now = instant(1_800_000_000_000);
const label = childLabel({
  deployment: deploymentId('test'),
  portfolio: portfolioId('7'),
  leg: 0,
  slice: 0,
  attempt: 0,
});
const instrument = instrumentName('BTC-PERPETUAL');
const advance: PortfolioCommand = { kind: 'advance', now };
const report: PortfolioCommand = { kind: 'record_report', now, orders: [], trades: [] };
const cancel: PortfolioCommand = { kind: 'cancel', now, reason: 'user_request', by: 'anna' };

const placeIn = (ms: number): Intent => ({
  kind: 'place',
  label,
  instrument,
  side: 'buy',
  quantity: quantity('10'),
  price: price('60000'),
  timeInForce: 'immediate_or_cancel',
  postOnly: false,
  reduceOnly: false,
  validUntil: later(now, 5_000),
  leg: 0,
  slice: 0,
  notBefore: later(now, ms),
});

describe('a deferrable turn', () => {
  it.each<[string, number, readonly PortfolioCommand[], readonly Intent[]]>([
    ['books what a venue reported', 20, [report], []],
    ['has nothing to send', 20, [advance, report], []],
    ['decides slices that are sent later', 5, [advance, report], [placeIn(25), placeIn(15)]],
    ['decides a slice that is sent much later', 20, [advance], [placeIn(500)]],
    ['sends something soon', 0, [advance], [placeIn(25), placeIn(10)]],
    ['sends what is due', 0, [advance], [placeIn(0)]],
    ['cancels an order', 0, [advance], [{ kind: 'cancel', label, instrument }]],
    ['queries the venue', 0, [report], [{ kind: 'settle', label, instrument }]],
    ['answers somebody', 0, [report, cancel], []],
  ])('a turn that %s may wait %d ms', (_, mayWaitMs, commands, intents) => {
    expect(deferrableMs(commands, { intents, now })).toBe(mayWaitMs);
  });
});
