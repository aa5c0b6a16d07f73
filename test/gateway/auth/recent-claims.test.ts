// What a gateway has claimed stays claimed there, whatever happens to the rows in the database.
import { expect, test } from 'vitest';
import { rememberingClaims } from '../../../src/gateway/auth/recent-claims.ts';
import { instant } from '../../../src/values/instant.ts';

const until = instant(60_000);

function stage() {
  const rows = new Set<string>();
  const clock = { now: instant(0), isUp: true };
  const claim = rememberingClaims(
    (key) => {
      if (!clock.isUp) return Promise.reject(new Error('away'));
      const isFirst = !rows.has(key);
      rows.add(key);
      return Promise.resolve(isFirst);
    },
    () => clock.now,
  );
  return { rows, clock, claim };
}

test('a nonce that was deleted from the database is not accepted again within its time', async () => {
  const { rows, clock, claim } = stage();
  expect(await claim('nonce:a:1', until)).toBe(true);
  rows.clear();
  clock.now = until;
  expect(await claim('nonce:a:1', until)).toBe(false);
  expect(await claim('nonce:b:1', until)).toBe(true);
  clock.now = instant(60_001);
  expect(await claim('nonce:a:1', instant(90_000))).toBe(true);
});

test('of two equal claims at once one is accepted', async () => {
  const { claim } = stage();
  const both = await Promise.all([claim('nonce:a:1', until), claim('nonce:a:1', until)]);
  expect(both).toEqual([true, false]);
});

test('a claim that the store could not take may be made again', async () => {
  const { clock, claim } = stage();
  clock.isUp = false;
  await expect(claim('nonce:a:1', until)).rejects.toThrow('away');
  clock.isUp = true;
  expect(await claim('nonce:a:1', until)).toBe(true);
  expect(await claim('nonce:a:1', until)).toBe(false);
});

test('claims that have ended are forgotten, so that memory is bounded', async () => {
  const { rows, claim } = stage();
  for (let at = 0; at <= 50_000; at += 1) await claim(`nonce:a:${at}`, until);
  rows.clear();
  expect(await claim('nonce:a:50000', until)).toBe(false);
  // The oldest made room for the last.
  expect(await claim('nonce:a:0', until)).toBe(true);
});
