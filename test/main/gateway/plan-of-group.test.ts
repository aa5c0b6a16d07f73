// A group of market-maker protection is known to the engine alone: a gateway passes the plan of a portfolio that names one on,
// so that plan and submit judge it alike.
import { expect, test } from 'vitest';
import type { Operations } from '../../../src/engine/interface/operations.ts';
import { gatewayReads } from '../../../src/main/gateway/gateway-reads.ts';
import { BY, form } from '../../support/engine/engine-world.ts';

test('the plan of a portfolio with mmpGroup is the verdict of the engine, any other one of the gateway', async () => {
  const refusal = (message: string) =>
    ({
      kind: 'refused',
      rejections: [{ kind: 'invalid_parameter', field: 'execution.mmpGroup', message }],
    }) as const;
  const plan = (message: string) => () => Promise.resolve(refusal(message));
  const engine = { plan: plan('by the engine') } as unknown as Operations;
  const ledger = { page: () => Promise.reject(), row: () => Promise.reject() };
  const operations = gatewayReads({ engine, ledger, plan: plan('by the gateway') });
  const named = form({ execution: { mmpGroup: 'options' } });
  expect(await operations.plan(named, BY)).toEqual(refusal('by the engine'));
  expect(await operations.plan(form({ execution: {} }), BY)).toEqual(refusal('by the gateway'));
});
