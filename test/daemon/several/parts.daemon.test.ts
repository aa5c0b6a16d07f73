// The daemon as two processes under a supervisor: what becomes of slices, clients and requests under way when one of them is
// killed, stands still, or loses the supervisor.
import { execFileSync } from 'node:child_process';
import { hkdfSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PortfolioBody, Result, SubmittedRecord } from '../../../src/gateway/client/client.ts';
import { until } from '../../adapters/until.ts';
import { FaultStage } from '../../support/daemon/fault-stage.ts';
import { course } from '../../support/engine/two-legs.ts';
import { inOrder } from '../../support/in-order.ts';

inOrder();

const SECONDS = 8;
/** Of portfolios of which there are many, or that nothing happens to. */
const BRIEF_SECONDS = 3;
const MASTER = 'bWFzdGVyIHNlY3JldCBvZiBhIHRlc3QsIDMyIGJ5dGVzIQ==';

let stage: FaultStage;

beforeAll(async () => {
  stage = await FaultStage.open({
    deployment: 'part',
    parts: 'apart',
    environment: { TWAPD_KEYS_SECRET: MASTER },
  });
});
afterAll(() => stage.close());

const engine = (): number => stage.daemon.part('engine');
const gateway = (): number => stage.daemon.part('gateway');

const environmentOf = (pid: number): string => readFileSync(`/proc/${pid}/environ`, 'utf8');

async function count(kind: string): Promise<number> {
  const rows = await stage.query<{ n: string }>(
    `SELECT count(*) AS n FROM event WHERE kind = '${kind}'`,
  );
  return Number(rows[0]?.n);
}

/** Slices that are so far apart that a busy machine does not miss one by itself. */
const unhurried = () => ({
  ...course(12),
  twapTrade: { durationSec: 12, frequencySec: 3 },
});

/** What the portfolio's events say of slices that it missed. */
const missed = (id: string): Promise<readonly object[]> =>
  stage.query(`SELECT at, data FROM event WHERE kind = 'slices_missed' AND portfolio = ${id}`);

const answers = async (): Promise<boolean> => {
  try {
    return (await fetch(`${stage.daemon.url}/healthz`)).ok;
  } catch {
    return false;
  }
};

/** Why the gateway is not ready, read until it is ready again. */
async function saidUntilReady(): Promise<readonly string[]> {
  const said: string[] = [];
  await until(async () => {
    const ready = await fetch(`${stage.daemon.url}/readyz`);
    if (!ready.ok) said.push(await ready.text());
    return ready.ok && said.length > 0;
  }, 120_000);
  return said;
}

describe('secrets', () => {
  test('the engine has no secret of clients in its environment, the gateway has', () => {
    expect(engine()).not.toBe(gateway());
    expect(environmentOf(gateway())).toContain('TWAPD_KEYS_SECRET');
    expect(environmentOf(engine())).not.toContain('TWAPD_KEYS_SECRET');
    expect(environmentOf(engine())).not.toContain(MASTER);
  });

  test('both have the key of their link, which is derived from the master secret', () => {
    const derived = hkdfSync(
      'sha256',
      Buffer.from(MASTER, 'base64'),
      '',
      'twapd engine link v1',
      32,
    );
    const given = `TWAPD_LINK_KEY=${Buffer.from(derived).toString('base64')}\0`;
    for (const part of [engine(), gateway()]) expect(environmentOf(part)).toContain(given);
  });
});

describe('the gateway', () => {
  test('the engine comes before the gateway where both need the processor', async () => {
    await until(() => getPriority(gateway()) > getPriority(engine()));
  });

  test('slices go on while the gateway stands still', async () => {
    const id = await stage.submit(course(SECONDS), 'gateway stands still');
    process.kill(gateway(), 'SIGSTOP');
    const before = await count('slice_ended');
    await until(async () => (await count('slice_ended')) >= before + 4);
    process.kill(gateway(), 'SIGCONT');
    await stage.filled(id);
  });
});

describe('the gateway without memory', () => {
  test('a gateway that gets no more memory dies and is started again on its port, and no slice is missed', async () => {
    const id = await stage.submit(unhurried(), 'gateway without memory');
    const [served, executing] = [gateway(), engine()];
    // What it has mapped stays; the next bytes that it asks the system for are refused.
    execFileSync('prlimit', ['--pid', String(served), '--as=1048576']);
    // The answer is one text of half a megabyte, for which the heap has no page yet.
    const long = course(2_000);
    await until(async () => {
      await Promise.allSettled([stage.daemon.client.plan(long), stage.daemon.client.plan(long)]);
      return !isAlive(served);
    });
    await until(answers);
    expect(engine()).toBe(executing);
    await stage.filled(id);
    expect(await missed(id)).toEqual([]);
  });
});

describe('the engine, killed while it is requested forty portfolios', () => {
  const body: PortfolioBody = course(BRIEF_SECONDS);
  const keys = Array.from({ length: 40 }, (_, n) => `engine-killed-${n}`);
  let answered: readonly Result<SubmittedRecord>[];
  let said: readonly string[];

  beforeAll(async () => {
    const before = engine();
    const submits = keys.map((key) => stage.daemon.client.submit(body, key));
    await Promise.race(submits);
    process.kill(before, 'SIGKILL');
    [answered, said] = await Promise.all([Promise.all(submits), saidUntilReady()]);
    expect(engine()).not.toBe(before);
  });

  test('each request under way is answered, and none is carried out twice', async () => {
    for (const answer of answered) {
      expect(['done', 'refused']).toContain(answer.kind);
      if (answer.kind === 'refused') expect(answer.status).toBe(503);
    }
    const ids = await Promise.all(keys.map((key) => stage.submit(course(BRIEF_SECONDS), key)));
    expect(new Set(ids).size).toBe(keys.length);
    const created = await stage.query<{ n: string }>(
      "SELECT count(*) AS n FROM portfolio WHERE key LIKE '%engine-killed-%'",
    );
    expect(Number(created[0]?.n)).toBe(keys.length);
    for (const id of ids) await stage.filled(id);
  });

  test('the gateway says meanwhile that it has no engine', () => {
    expect(said.join('\n')).toContain('engine:');
  });
});

describe('a gateway that is started while the engine stands still', () => {
  test('it says so after ten seconds, refuses what needs the engine, and serves once that continues', async () => {
    const [served, executing] = [gateway(), engine()];
    process.kill(executing, 'SIGSTOP');
    process.kill(served, 'SIGKILL');
    await until(async () => !(await answers()));
    await until(answers);
    expect(gateway()).not.toBe(served);
    expect(engine()).toBe(executing);
    const ready = await fetch(`${stage.daemon.url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.text()).toContain('engine');
    const refused = await stage.daemon.client.submit(course(BRIEF_SECONDS), 'no engine');
    expect(refused).toMatchObject({ kind: 'refused', status: 503, retryAfterSec: 1 });
    expect(JSON.stringify(refused)).toContain('waiting for an engine');
    process.kill(executing, 'SIGCONT');
    await stage.ready();
    await stage.filled(await stage.submit(course(BRIEF_SECONDS), 'no engine'));
  });
});

describe('the supervisor', () => {
  test('parts whose supervisor is killed end too, and the next start continues', async () => {
    const id = await stage.submit(course(SECONDS), 'supervisor killed');
    const parts = [engine(), gateway()];
    stage.daemon.process.kill('SIGKILL');
    await until(() => parts.every((pid) => !isAlive(pid)));
    await stage.kill();
    await stage.start();
    await stage.filled(id);
  });

  test('a part that stands still does not keep the daemon from ending', async () => {
    process.kill(gateway(), 'SIGSTOP');
    const parts = [engine(), gateway()];
    expect(await stage.terminate()).toBe(70);
    await until(() => parts.every((pid) => !isAlive(pid)));
  });
});

test('ledger and exchange agree afterwards', () => stage.expectSameBooks());

function isAlive(pid: number): boolean {
  try {
    const state = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0];
    return state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}
