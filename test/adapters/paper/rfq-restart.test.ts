import { describe, expect, it } from 'vitest';
import { quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../src/values/instant.ts';
import { ACCOUNT, MemoryStore, NOON, type PaperStage, paperStage } from './paper-stage.ts';

async function asked(on: PaperStage): Promise<string> {
  const option = on.venue
    .instruments()
    .find(
      ({ kind, base, expiresAt = 0 }) =>
        kind === 'option' && String(base) === 'BTC' && expiresAt > NOON + 20 * DAY_MS,
    );
  const { name: instrument } = must(option, 'an option is listed');
  const reply = await must(on.venue.rfqs, 'it has them').create({
    account: ACCOUNT,
    legs: [{ instrument, quantity: quantity('30'), side: 'buy' }],
    makers: [],
    disclosed: true,
    allocations: [],
  });
  if (reply.kind !== 'done') throw new Error(JSON.stringify(reply));
  return reply.value.id;
}

async function seen(on: PaperStage, id: string) {
  const reply = await must(on.venue.rfqs, 'it has them').rfqs({ account: ACCOUNT, id, count: 1 });
  if (reply.kind !== 'done') throw new Error(JSON.stringify(reply));
  return must(reply.value.rfqs[0], 'the RFQ is there');
}

describe('Block RFQs after a restart of the paper venue', () => {
  const options = (store: MemoryStore) => ({
    journal: { store },
    rfqMakers: { seed: 'again', desks: 5 },
  });

  it('an RFQ and its quotes continue, and makers keep quoting it', async () => {
    const store = new MemoryStore();
    const before = paperStage(options(store));
    const id = await asked(before);
    await before.pass(20 * SECOND_MS);
    const { asks } = await seen(before, id);
    expect(asks).toHaveLength(1);
    const left = new MemoryStore();
    left.parts = store.parts;
    await before.venue.close();
    const after = paperStage(options(left), before.clock);
    expect(await seen(after, id)).toMatchObject({ status: 'open', asks });
    await after.pass(2 * MINUTE_MS);
    expect((await seen(after, id)).asks).toHaveLength(1);
  });

  it('RFQs that expired in the meantime end as of their due time', async () => {
    const store = new MemoryStore();
    const before = paperStage(options(store));
    const id = await asked(before);
    const { expiresAt } = await seen(before, id);
    const left = new MemoryStore();
    left.parts = store.parts;
    await before.venue.close();
    await before.pass(10 * MINUTE_MS);
    const after = paperStage(options(left), before.clock);
    expect(await seen(after, id)).toMatchObject({ status: 'expired', lastUpdatedAt: expiresAt });
  });
});
