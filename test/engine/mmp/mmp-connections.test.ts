// Market maker protection by several daemons of which one is connected for the account: who cancels after a trip, and what
// the next one to be connected does.
import { afterEach, expect, test } from 'vitest';
import type { CatchUp } from '../../../src/engine/ownership/account-connections.ts';
import type { AccountId } from '../../../src/values/ids.ts';
import { MAKER, MmpStage, type Process } from '../../support/engine/mmp-stage.ts';

const stages: { readonly stage: MmpStage; readonly processes: readonly Process[] }[] = [];
afterEach(async () => {
  for (const { stage, processes } of stages.splice(0)) await stage.close(processes);
});

/** A daemon that is connected for the account or not; another one is known to protect it or not. */
async function daemon(stage: MmpStage, is: { connected: boolean; elsewhere: boolean }) {
  const catchUps: CatchUp[] = [];
  const connections = {
    isKept: (_account: AccountId): boolean => is.connected,
    follow: (catchUp: CatchUp): void => void catchUps.push(catchUp),
  };
  const process = await stage.started(undefined, { connections, isElsewhere: () => is.elsewhere });
  return { process, is, catchUp: () => Promise.all(catchUps.map((one) => one(MAKER))) };
}

async function pair(other: { connected: boolean; elsewhere: boolean }) {
  const stage = new MmpStage();
  const owner = await daemon(stage, { connected: true, elsewhere: false });
  const second = await daemon(stage, other);
  stages.push({ stage, processes: [owner.process, second.process] });
  await stage.configure(owner.process);
  return { stage, owner, second };
}

test('a daemon leaves the mass cancel of a trip to the one that is known to protect the account', async () => {
  const { stage, owner, second } = await pair({ connected: false, elsewhere: true });
  await stage.quote(owner.process);
  await stage.take(owner.process, 2.5);
  await stage.pass(2_000);
  expect(await stage.open()).toEqual([]);
  expect(owner.process.swept).toHaveLength(1);
  expect(second.process.swept).toEqual([]);
  expect(
    second.process.guard.isFrozen({ account: MAKER, kind: 'order', index: 'btc_usd', group: '' }),
  ).toBe(true);
});

test('every daemon cancels after a trip while none is known to protect the account', async () => {
  const { stage, owner, second } = await pair({ connected: false, elsewhere: false });
  await stage.take(owner.process, 2.5);
  await stage.pass(2_000);
  expect(second.process.swept).toHaveLength(1);
});

test('a daemon that is connected for an account with a frozen group cancels what is still open of it', async () => {
  const { stage, owner, second } = await pair({ connected: false, elsewhere: true });
  await stage.quote(owner.process);
  // The owner has recorded the trip, and is gone before it cancels.
  owner.is.connected = false;
  owner.is.elsewhere = true;
  await stage.take(owner.process, 2.5);
  owner.process.guard.stop();
  await stage.pass(2_000);
  expect(await stage.open()).toHaveLength(1);
  second.is.connected = true;
  await second.catchUp();
  await stage.pass(1_000);
  expect(await stage.open()).toEqual([]);
  expect(second.process.seen.failures).toEqual([]);
});

test('a daemon that is connected for an account counts the trades that it did not hear of', async () => {
  const { stage, owner, second } = await pair({ connected: false, elsewhere: true });
  second.process.guard.stop();
  await stage.take(owner.process, 1);
  owner.process.guard.stop();
  const next = await daemon(stage, { connected: false, elsewhere: true });
  stages.push({ stage, processes: [next.process] });
  next.is.connected = true;
  await next.catchUp();
  await stage.rest();
  const [window] = next.process.guard.windows();
  expect(window?.used.quantity).toBeCloseTo(0.5, 1);
});
