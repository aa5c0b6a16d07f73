// Stored data is modified under a running daemon: the daemon reports it and halts the portfolio. `twapd audit`
// detects it too, even if the seals in the database were removed together with the sealed events.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../adapters/until.ts';
import { twapd } from '../../main/cli-world.ts';
import { FaultStage } from '../../support/daemon/fault-stage.ts';
import { eventChanged, laterTurnsDeleted } from '../../support/daemon/tampered-events.ts';
import { course } from '../../support/engine/two-legs.ts';

interface Verdict {
  readonly ledger: {
    readonly portfolios: number;
    readonly sealed: number;
    readonly findings: readonly { readonly portfolio: string; readonly detail: string }[];
  };
  readonly daemon?: {
    readonly checks: readonly { readonly check: string }[];
    readonly breaches: number;
  };
}

let stage: FaultStage;
beforeAll(async () => {
  stage = await FaultStage.open({ deployment: 'adit' });
});
afterAll(() => stage.close());

async function audited(
  words: readonly string[],
): Promise<{ code: number | null; verdict: Verdict }> {
  const { code, out, err } = await twapd(
    ['audit', '--json', '--config', stage.configPath, ...words],
    { env: { ...stage.environment } },
  );
  expect(err).toBe('');
  return { code, verdict: JSON.parse(out) as Verdict };
}

const breaches = async (): Promise<number> => {
  const text = await (await fetch(`${stage.daemon.url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith('twapd_audit_breaches_total{'));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
};

/** Every event of the ended portfolio is sealed. */
async function sealed(id: string): Promise<void> {
  const last = `SELECT max(version) FROM event WHERE portfolio = ${id}`;
  const seals = `SELECT 1 FROM audit_seal WHERE portfolio = ${id} AND version = (${last})`;
  await until(async () => (await stage.query(seals)).length > 0, 60_000);
}

const checksRun = async (): Promise<number> => {
  const text = await (await fetch(`${stage.daemon.url}/metrics`)).text();
  return text.split('\n').filter((line) => /^twapd_audit_runs_total\{.* [1-9]/.test(line)).length;
};

test('`twapd audit` finds nothing in intact data, and shows what the daemon checked', async () => {
  const done = await stage.submit(course(2), 'done');
  await stage.filled(done);
  await sealed(done);
  await until(async () => (await checksRun()) === 4, 60_000);
  const { code, verdict } = await audited(['--url', stage.daemon.url]);
  expect(verdict.ledger).toMatchObject({ portfolios: 1, sealed: 1, findings: [] });
  const checks = verdict.daemon?.checks.map(({ check }) => check).sort();
  expect(checks).toEqual(['ledger', 'position', 'state', 'venue']);
  expect(verdict.daemon?.breaches).toBe(0);
  expect(code).toBe(0);
});

test('a modified event is reported, halts its portfolio, and is found by `twapd audit`', async () => {
  const id = await stage.submit(course(60), 'changed');
  const isSealed = async (): Promise<boolean> => {
    const [seal] = await stage.query<{ version: number }>(
      `SELECT version FROM audit_seal WHERE portfolio = ${id} AND version >= 2`,
    );
    return seal !== undefined;
  };
  await until(isSealed, 60_000);
  expect(await breaches()).toBe(0);
  await stage.query(eventChanged(id, { version: 2, field: 'at', value: '1' }));
  await until(async () => (await breaches()) > 0, 60_000);
  await until(() => stage.daemon.output().includes('"scope":"portfolio"'));
  const { code, verdict } = await audited(['--url', stage.daemon.url]);
  expect(code).toBe(1);
  expect(verdict.ledger.findings).toMatchObject([{ portfolio: id }]);
  expect(verdict.ledger.findings[0]?.detail).toContain('not those that were sealed');
  expect(verdict.daemon?.breaches).toBeGreaterThan(0);
});

test('a chain truncated together with its seal is detected by the witness in the data folder', async () => {
  const [first] = await stage.query<{ id: string }>('SELECT min(id)::text AS id FROM portfolio');
  await stage.kill();
  await stage.query(laterTurnsDeleted(first?.id ?? '', 5));
  await stage.query('DELETE FROM audit_seal');
  const { code, verdict } = await audited([]);
  expect(code).toBe(1);
  expect(verdict.daemon).toBeUndefined();
  const found = verdict.ledger.findings.find(({ portfolio }) => portfolio === first?.id);
  expect(found?.detail).toMatch(/\d+ events are stored of \d+ that were sealed/);
});
