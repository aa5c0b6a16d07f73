// A ledger belongs to one exchange for good, whichever process binds it first and however many start at once.
import { describe, expect, test } from 'vitest';
import { remoteBinding, VenueMismatch, venueBinding } from '../../../src/main/wiring/bind-venue.ts';
import { accountId } from '../../../src/values/ids.ts';
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

describe('the accounts of a ledger', () => {
  const [ONE, TWO] = [accountId('1'), accountId('2')];

  test('an account is bound to its number at the venue, whatever the venue is called later', async () => {
    const ledger = ledgerOf();
    const first = venueBinding(ledger, 'live');
    await first.bind('deribit test');
    await first.bindAccount(ONE, '777');
    await first.bindAccount(ONE, '777');
    const other = venueBinding(ledger, 'live');
    await other.bind('deribit test');
    await expect(other.bindAccount(ONE, '778')).rejects.toThrow(
      'the key of account 1 is of deribit test, account 778, and in this ledger it is deribit test, account 777',
    );
    const renamed = venueBinding(ledger, 'renamed');
    await renamed.bind('deribit production');
    await expect(renamed.bindAccount(ONE, '777')).rejects.toThrow(VenueMismatch);
  });

  test('two accounts cannot be one account of the venue, even if they connect at the same time', async () => {
    const binding = venueBinding(ledgerOf(), 'live');
    await binding.bind('deribit test');
    const bound = await Promise.allSettled([
      binding.bindAccount(ONE, '777'),
      binding.bindAccount(TWO, '777'),
    ]);
    expect(bound.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await binding.bindAccount(TWO, '778');
  });

  test('a ledger of the test network is not continued with real money', async () => {
    const ledger = ledgerOf();
    await venueBinding(ledger, 'live').bind('deribit test');
    await expect(venueBinding(ledger, 'live').bind('deribit production')).rejects.toThrow(
      VenueMismatch,
    );
  });
});
