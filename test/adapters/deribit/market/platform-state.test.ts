// Maintenance and locks of the whole platform or of one index, as answered and as published.
import { describe, expect, test } from 'vitest';
import { refusedWith, result, ScriptedMarket } from './scripted-market.ts';

const CHANNEL = 'platform_state';

async function withStatus(status: object): Promise<ScriptedMarket> {
  const scripted = new ScriptedMarket();
  scripted.answers.set('public/status', () => result(status));
  await scripted.connect();
  return scripted;
}

const troubles = ({ market }: ScriptedMarket) =>
  [undefined, 'btc_usd', 'sol_usdc'].map((index) => market.platform.trouble(index));

describe('the state of the platform', () => {
  test.each([[{ locked: 'false' }], [{ locked: false }], [{}]])(
    '%o locks nothing',
    async (status) => {
      expect(troubles(await withStatus(status))).toEqual([undefined, undefined, undefined]);
    },
  );

  test.each([[{ locked: 'true' }], [{ locked: true }]])('%o locks everything', async (status) => {
    const why = 'the venue is locked';
    expect(troubles(await withStatus(status))).toEqual([why, why, why]);
  });

  test.each([[['sol_usdc']], [['SOL']], [['sol']]])(
    'The locked indices %o lock what depends on SOL',
    async (names) => {
      const scripted = await withStatus({ locked: 'partial', locked_indices: names });
      expect(troubles(scripted)).toEqual([undefined, undefined, 'the venue has locked sol_usdc']);
    },
  );

  test('A lock of an index is published, and so is its end', async () => {
    const scripted = await withStatus({ locked: 'false' });
    scripted.publish(CHANNEL, { price_index: 'sol_usdc', locked: true });
    expect(troubles(scripted)).toEqual([undefined, undefined, 'the venue has locked sol_usdc']);
    scripted.publish(CHANNEL, { price_index: 'sol_usdc', locked: false });
    expect(troubles(scripted)).toEqual([undefined, undefined, undefined]);
  });

  test('A maintenance ends with its message, or with the connection', async () => {
    const scripted = await withStatus({ locked: 'false' });
    scripted.publish(CHANNEL, { maintenance: true });
    expect(scripted.market.platform.trouble()).toBe('the venue is in maintenance');
    scripted.publish(CHANNEL, { maintenance: false });
    expect(scripted.market.platform.trouble()).toBeUndefined();
    scripted.publish(CHANNEL, { maintenance: true });
    scripted.break();
    await scripted.connect();
    expect(scripted.market.platform.trouble()).toBeUndefined();
  });

  test('A lock whose message was lost is found within a minute', async () => {
    const scripted = await withStatus({ locked: 'false' });
    scripted.answers.set('public/status', () => result({ locked: 'true' }));
    await scripted.pass(61_000);
    expect(scripted.market.platform.trouble()).toBe('the venue is locked');
  });

  test('What was known stays in force while the state is malformed or not answered, which is reported', async () => {
    const scripted = await withStatus({ locked: 'partial', locked_indices: ['sol_usdc'] });
    scripted.publish(CHANNEL, { price_index: 'sol_usdc', locked: 'perhaps' });
    scripted.answers.set('public/status', () => refusedWith(11051, 'system_maintenance'));
    await scripted.pass(61_000);
    expect(troubles(scripted)).toEqual([undefined, undefined, 'the venue has locked sol_usdc']);
    expect(scripted.faults).toEqual([
      'a state of the platform: locked is "perhaps"; accepted: true or false',
      'public/status: 11051 system_maintenance',
    ]);
  });
});
