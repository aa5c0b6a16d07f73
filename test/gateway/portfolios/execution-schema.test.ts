// Parses the execution block, and refuses invalid ones.
import { describe, expect, it } from 'vitest';
import { executionSchema } from '../../../src/gateway/portfolios/submit/execution-schema.ts';
import { text } from '../../../src/values/amounts.ts';

const faultsOf = (block: object): string[] =>
  executionSchema.safeParse(block).error?.issues.map(({ path }) => path.join('.')) ?? [];

describe('the execution block', () => {
  it('the execution block converts every option to its internal form', () => {
    const { collar, would, ...rest } = executionSchema.parse({
      phase: '0.5',
      aim: 'middle',
      randomSize: 0.2,
      randomTime: '0.25',
      seed: 'mine',
      catchUp: 'front',
      maxCatchUp: 2.5,
      downtime: 'catchUp',
      endAction: 'extend',
      extendSec: 90,
      collar: '0.0050',
      slippageMaxBps: 12.5,
      bandBps: 50,
      spreadMaxBps: 20,
      spreadMaxVol: '1.5',
      participationMax: 0.1,
      wouldPrices: [{ leg: 0, price: '89999.5' }],
      escalation: [
        { from: 0, manner: 'post' },
        { from: '0.8', manner: 'cross' },
      ],
      avoidWindows: true,
      mmpGroup: 'desk',
      partTimeout: 'keep',
      endCapBps: null,
    });
    expect(collar && text(collar)).toBe('0.005');
    expect(would?.map(({ leg, price, share }) => [leg, text(price), share])).toEqual([
      [0, '89999.5', 1],
    ]);
    expect(rest).toEqual({
      phase: 0.5,
      aim: 'middle',
      randomSize: 0.2,
      randomTime: 0.25,
      seed: 'mine',
      catchUp: 'front',
      maxCatchUp: 2.5,
      downtime: 'catch_up',
      endAction: 'extend',
      extendMs: 90_000,
      slippageMaxBps: 12.5,
      bandBps: 50,
      spreadMaxBps: 20,
      spreadMaxVol: 1.5,
      participationMax: 0.1,
      escalation: [
        { from: 0, manner: 'post' },
        { from: 0.8, manner: 'cross' },
      ],
      avoidWindows: true,
      mmpGroup: 'desk',
      partTimeout: 'keep',
    });
  });

  it.each<[object, string]>([
    [{ phase: 1 }, 'phase'],
    [{ maxCatchUp: 0.5 }, 'maxCatchUp'],
    [{ randomSize: 1 }, 'randomSize'],
    [{ participationMax: 0 }, 'participationMax'],
    [{ spreadMaxBps: '0' }, 'spreadMaxBps'],
    [{ extendSec: 0 }, 'extendSec'],
    [{ endAction: 'hope' }, 'endAction'],
    [{ downtime: 'catch_up' }, 'downtime'],
    [{ escalation: [{ from: 1, manner: 'mid' }] }, 'escalation.0.from'],
    [{ escalation: [] }, 'escalation'],
    [{ wouldPrices: [{ leg: 0 }] }, 'wouldPrices.0.price'],
    [{ avoidWindows: 'yes' }, 'avoidWindows'],
    [{ collar: '1e-3' }, 'collar'],
  ])('the execution block refuses %j', (block, field) => {
    expect(faultsOf(block)).toEqual([field]);
  });

  it('the execution block converts the options of the residual Block RFQ', () => {
    const { rfq } = executionSchema.parse({
      endAction: 'rfq',
      rfq: { limitPrice: '99000.50', collectSec: 0, waitSec: 290, allOrNone: true, makers: ['M1'] },
    });
    expect(rfq?.limitPrice && text(rfq.limitPrice)).toBe('99000.5');
    expect(rfq).toMatchObject({ collectMs: 0, waitMs: 290_000, wholeOnly: true, makers: ['M1'] });
    expect(faultsOf({ rfq: { limitBps: '1e2' } })).toEqual(['rfq.limitBps']);
    expect(faultsOf({ rfq: { waitSec: 5 } })).toEqual(['rfq.waitSec']);
    expect(faultsOf({ rfq: { fallback: 'extend' } })).toEqual(['rfq.fallback']);
    expect(faultsOf({ rfq: { after: 'market' } })).toEqual(['rfq']);
  });
});
