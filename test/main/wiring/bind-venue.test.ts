// A ledger belongs to one exchange for good, whoever comes first and however many come at once.
import { describe, expect, test } from 'vitest';
import { remoteBinding, VenueMismatch } from '../../../src/main/wiring/bind-venue.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { NOON } from '../../support/engine/markets.ts';

const ledgerOf = () => new MemoryLedger({ now: () => NOON });

describe('the exchange of a ledger', () => {
  test('is the one that answered first, also for a later start', async () => {
    const ledger = ledgerOf();
    const bind = remoteBinding(ledger, 'far');
    await bind('one');
    await bind('one');
    await expect(bind('two')).rejects.toThrow(VenueMismatch);
    await expect(remoteBinding(ledger, 'far')('two')).rejects.toThrow('belongs to one');
    await remoteBinding(ledger, 'another venue')('two');
  });

  test('is one and the same when several processes start at the same time', async () => {
    const ledger = ledgerOf();
    const exchanges = ['one', 'two', 'three', 'one'];
    const bindings = await Promise.allSettled(
      exchanges.map((exchange) => remoteBinding(ledger, 'far')(exchange)),
    );
    const bound = exchanges.filter((_, at) => bindings[at]?.status === 'fulfilled');
    expect(new Set(bound)).toEqual(new Set(['one']));
    expect(bound).toHaveLength(2);
  });
});
