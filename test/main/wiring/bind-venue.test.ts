// A ledger belongs to one exchange for good, whichever process binds it first and however many start at once.
import { describe, expect, test } from 'vitest';
import { remoteBinding, VenueMismatch } from '../../../src/main/wiring/bind-venue.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { NOON } from '../../support/engine/markets.ts';

const ledgerOf = () => new MemoryLedger({ now: () => NOON });

describe('the exchange of a ledger', () => {
  test('the first exchange that answers is bound, also for later starts', async () => {
    const ledger = ledgerOf();
    const bind = remoteBinding(ledger, 'far');
    await bind('one');
    await bind('one');
    await expect(bind('two')).rejects.toThrow(VenueMismatch);
    await expect(remoteBinding(ledger, 'far')('two')).rejects.toThrow('belongs to one');
    await remoteBinding(ledger, 'another venue')('two');
  });

  test('processes that start at the same time bind one and the same exchange', async () => {
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
