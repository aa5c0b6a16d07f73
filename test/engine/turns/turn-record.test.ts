import { describe, expect, it } from 'vitest';
import type { PortfolioCommand } from '../../../src/core/portfolio/aggregate/portfolio-command.ts';
import type { Intent } from '../../../src/core/portfolio/aggregate/portfolio-intent.ts';
import { isDeferrable } from '../../../src/engine/turns/turn-record.ts';
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
  ...{ kind: 'place', label, instrument, side: 'buy', quantity: quantity('10') },
  ...{ price: price('60000'), timeInForce: 'immediate_or_cancel', postOnly: false },
  ...{ reduceOnly: false, validUntil: later(now, 5_000), leg: 0, slice: 0 },
  notBefore: later(now, ms),
});

describe('a deferrable turn', () => {
  it.each<[string, boolean, readonly PortfolioCommand[], readonly Intent[]]>([
    ['books what a venue reported', true, [report], []],
    ['has nothing to send', true, [advance, report], []],
    [
      'decides slices that are sent much later',
      true,
      [advance, report],
      [placeIn(25), placeIn(15)],
    ],
    ['sends something soon', false, [advance], [placeIn(25), placeIn(14)]],
    ['sends what is due', false, [advance], [placeIn(0)]],
    ['cancels an order', false, [advance], [{ kind: 'cancel', label, instrument }]],
    ['queries the venue', false, [report], [{ kind: 'settle', label, instrument }]],
    ['answers somebody', false, [report, cancel], []],
  ])('a turn that %s is deferrable: %s', (_, may, commands, intents) => {
    expect(isDeferrable(commands, { intents, now })).toBe(may);
  });
});
