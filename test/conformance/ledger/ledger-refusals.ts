// What every Ledger refuses, without a trace: text that cannot be stored, and every request after its close.
import { expect, test } from 'vitest';
import type { Turn } from '../../../src/ports/ledger.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { instant, later } from '../../../src/values/instant.ts';
import { fillOf, type LedgerStage, turnWith } from '../ledger-stage.ts';
import { expectRefused, NUL_TEXT } from '../refusals.ts';

const T0 = instant(1_800_000_000_000);

export function ledgerRefusals(open: () => Promise<LedgerStage>): void {
  test('text with a NUL character is refused wherever it is stored or looked for', async () => {
    const { ledger, fills } = await open();
    await ledger.setMetadata('there', 'before');
    const rows = ['note', 'strategy', 'uid', 'lastEditedUid', 'portfolioType', 'coin'] as const;
    const turns: Turn[] = [
      ...rows.map((field) => turnWith(7, 0, { row: { [field]: NUL_TEXT } })),
      turnWith(7, 0, { row: { instruments: ['BTC-PERPETUAL', NUL_TEXT] } }),
      turnWith(7, 0, { turn: { key: NUL_TEXT } }),
      turnWith(7, 0, { turn: { fills: [fillOf('t1'), fillOf(NUL_TEXT)] } }),
    ];
    for (const turn of turns) await expectRefused({ commit: () => ledger.commit([turn]) });
    const order = { orderBy: 'submittedAt', descending: false, offset: 0, limit: 10 } as const;
    await expectRefused({
      setName: () => ledger.setMetadata(NUL_TEXT, 'value'),
      setValue: () => ledger.setMetadata('there', NUL_TEXT),
      initValue: () => ledger.initMetadata('new', NUL_TEXT),
      getMetadata: () => ledger.getMetadata(NUL_TEXT),
      findByKey: () => ledger.findByKey(NUL_TEXT),
      note: () => ledger.page({ ...order, note: NUL_TEXT }),
      uids: () => ledger.page({ ...order, uids: ['7', NUL_TEXT] }),
    });
    expect(await ledger.load(portfolioId('7'))).toBeUndefined();
    expect(await fills()).toEqual([]);
    expect(await ledger.getMetadata('there')).toBe('before');
    expect(await ledger.getMetadata('new')).toBeUndefined();
    expect(await ledger.commit([turnWith(7, 0)])).toEqual({ kind: 'committed' });
  });

  test('a closed ledger refuses every request, and may be closed again', async () => {
    const { ledger, setNow } = await open();
    setNow(T0);
    await ledger.commit([turnWith(7, 0, { turn: { key: 'seven' } })]);
    await ledger.close();
    const order = { orderBy: 'submittedAt', descending: false, offset: 0, limit: 10 } as const;
    await expectRefused({
      commit: () => ledger.commit([turnWith(7, 1)]),
      load: () => ledger.load(portfolioId('7')),
      row: () => ledger.row(portfolioId('7')),
      shardOf: () => ledger.shardOf(portfolioId('7')),
      active: () => ledger.active(),
      atWork: () => ledger.atWork(),
      overdue: () => ledger.overdue(T0, 10),
      withOldRecord: () => ledger.withOldRecord(),
      changedAt: () => ledger.changedAt(turnWith(7, 0).row.account),
      findByKey: () => ledger.findByKey('seven'),
      page: () => ledger.page(order),
      getMetadata: () => ledger.getMetadata('name'),
      setMetadata: () => ledger.setMetadata('name', 'value'),
      initMetadata: () => ledger.initMetadata('name', 'value'),
      claimOnce: () => ledger.claimOnce('nonce', later(T0, 1)),
    });
    await ledger.close();
  });
}
