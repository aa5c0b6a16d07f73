// The real daemon trading on a real exchange that is killed meanwhile, monitored by a real Prometheus that is
// queried for every expression of every panel and alert; the ledger it leaves, queried for every panel of one
// portfolio with the dashboards' role; and a modification of stored data that raises an alert.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { dashboardFiles } from '../../monitoring/all-boards.ts';
import { until } from '../adapters/until.ts';
import { prometheusProgram } from '../monitoring/prometheus-program.ts';
import { PrometheusServer, type Series } from '../monitoring/prometheus-server.ts';
import {
  type Daemon,
  daemonFiles,
  deribitUrl,
  startDaemon,
  startExchange,
} from '../support/daemon/daemon-process.ts';
import { addressOf, createDatabase, type TestDatabase } from '../support/daemon/services.ts';
import { eventChanged } from '../support/daemon/tampered-events.ts';
import { TWO_LEGS } from '../support/engine/two-legs.ts';

interface Target {
  readonly expr?: string;
  readonly rawSql?: string;
  readonly legendFormat?: string;
  readonly format?: string;
}

interface Variable {
  readonly name: string;
  readonly type: string;
  readonly query: string;
}

interface Board {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly Target[] }[];
  readonly templating?: { readonly list: readonly Variable[] };
}

const boards = [...dashboardFiles().values()].map((text) => JSON.parse(text) as Board);
const targets = boards.flatMap(({ panels }) => panels.flatMap((panel) => panel.targets ?? []));
const expressions = targets.flatMap(({ expr, legendFormat = '' }) =>
  expr === undefined ? [] : [{ expr, legend: legendFormat }],
);
const queries = targets.flatMap(({ rawSql }) => rawSql ?? []);
const series = new Set(
  targets.flatMap(({ rawSql, format }) => (format === 'time_series' ? (rawSql ?? []) : [])),
);
// Others are text that the reader of a dashboard writes.
const variables = boards.flatMap(({ templating }) =>
  (templating?.list ?? []).flatMap(({ type, query }) => (type === 'query' ? query : [])),
);
const alerts = ['budgets.yml', 'alerts.yml'].flatMap((file) => {
  const { groups } = parse(readFileSync(`config/prometheus/${file}`, 'utf8')) as {
    readonly groups: readonly { readonly rules: readonly { alert: string; expr: string }[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
});

/** Events that do not happen in this run: their series exist, and a share of nothing is not a number. */
const QUIET =
  /twapd_(mmp|rfq|rfqs|halt|audit|part_imbalance|unknown_settle)|unknown_slow|assumptions|foreign/;
/** Series that start with their first event, which does not happen in this run. */
const ABSENT =
  /twapd_audit_(runs_total|last_run)|twapd:store_interruption|twapd_unhedged_quantity|twapd_mmp_overshoot/;

const TRIES_MAX = 30;

const program = prometheusProgram('prometheus');
const exchangeFiles = daemonFiles('wexc', 'config/exchange.yaml');
const files = daemonFiles('watc', 'config/paper-remote.yaml', 'apart');
const running: Daemon[] = [];
let database: TestDatabase;

afterAll(async () => {
  for (const one of running.splice(0).reverse()) await one.end('SIGTERM');
  await database.drop();
  await onDatabase(inject('postgresUrl'), (client) =>
    client.query('DROP ROLE IF EXISTS twapd_reader'),
  );
  files.remove();
  exchangeFiles.remove();
});

async function onDatabase<T>(address: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function begun<T extends Daemon>(starting: Promise<T>): Promise<T> {
  const one = await starting;
  running.push(one);
  return one;
}

async function submit({ client }: Daemon, change: object = {}): Promise<string> {
  const result = await client.submit({ ...TWO_LEGS, ...change });
  if (result.kind !== 'done') throw new Error(JSON.stringify(result));
  return String(result.value.portfolioId);
}

/** TWAPs, a cancel, a refusal, an unsigned request, an unreadable strategy, and a kill of the exchange in between. */
async function trade(daemon: Daemon, exchange: Daemon): Promise<readonly string[]> {
  const short = await submit(daemon);
  const long = await submit(daemon, { twapTrade: { durationSec: 28, frequencySec: 2 } });
  const cancelled = await submit(daemon, { twapTrade: { durationSec: 60, frequencySec: 1 } });
  expect((await daemon.client.submit({ ...TWO_LEGS, legs: [] })).kind).toBe('refused');
  await fetch(`${daemon.url}/tt/broker/openapi/portfolios/page`, { method: 'POST' });
  writeFileSync(join(files.strategies, 'broken.yaml'), 'portfolio: 5\n');
  await sleep(8_000);
  await exchange.end('SIGKILL');
  await sleep(4_000);
  await begun(startExchange(exchangeFiles, Number(new URL(exchange.url).port)));
  await sleep(4_000);
  await daemon.client.cancel(cancelled);
  await until(() => allOver(daemon), 90_000);
  return [short, long, cancelled];
}

async function allOver({ client }: Daemon): Promise<boolean> {
  await sleep(200);
  const page = await client.page({ accountId: '10001', portfolioTag: 'OPEN_ORDER' });
  return page.kind === 'done' && page.value.totalCount === 0;
}

/** Replaces the variables that Grafana fills in. */
const asRun = (expr: string): string => expr.replaceAll('$__rate_interval', '10s');
/** Without the part that filters out events that did not happen. */
const unfiltered = (expr: string): string => expr.replace(/ > 0$/, '');
const isNumber = ([, value]: readonly [number, string]): boolean => Number.isFinite(Number(value));
const labelsIn = (legend: string): readonly string[] =>
  [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
const selectorsIn = (expr: string): readonly string[] =>
  expr.match(/\b(?:twapd[_:][\w:]+|process_\w+|up(?=\{))(?:\{[^}]*\})?/g) ?? [];

function faultOf(expr: string, legend: string, found: readonly Series[]): string | undefined {
  if (ABSENT.test(expr)) return undefined;
  if (found.length === 0) return `no series: ${expr}`;
  const missing = labelsIn(legend).filter((label) =>
    found.some(({ metric }) => !(label in metric)),
  );
  if (missing.length > 0) return `no label ${missing}: ${expr}`;
  if (QUIET.test(expr)) return undefined;
  return found.some(({ values }) => values.some(isNumber)) ? undefined : `no number: ${expr}`;
}

/** The result of a reader's statement, with the dashboard's variables filled in as Grafana does. */
const withVariables = (sql: string, portfolio: string): string =>
  sql
    .replaceAll(`\${portfolio:sqlstring}`, `'${portfolio}'`)
    .replaceAll(`\${leg:sqlstring}`, "'0'");

/** Runs the reader's script as psql would: the output of a statement with \gexec is executed in turn. */
async function makeReader(client: Client): Promise<void> {
  const script = readFileSync('config/grafana/reader.sql', 'utf8').replace(
    /^(--|\\getenv).*$/gm,
    '',
  );
  for (const part of script.replaceAll(":'password'", "'reader'").split(';')) {
    const [first = '', rest] = part.split('\\gexec');
    if (rest === undefined) await client.query(first);
    else {
      const { rows } = await client.query<Record<string, string>>(first);
      for (const row of rows) for (const made of Object.values(row)) await client.query(made);
      await client.query(rest);
    }
  }
}

describe('the monitored daemon', () => {
  it('every panel and alert has data while the exchange is killed, and a breach raises an alert', async () => {
    database = await createDatabase();
    const exchange = await begun(startExchange(exchangeFiles));
    const config = readFileSync(files.configPath, 'utf8');
    writeFileSync(
      files.configPath,
      config.replace(/url: ws:.*/, `url: ${deribitUrl(exchange.url)}`),
    );
    const daemon = await begun(startDaemon(files, { DATABASE_URL: addressOf(database) }));
    const prometheus =
      program === undefined
        ? undefined
        : await PrometheusServer.start(program, new URL(daemon.url).host);
    try {
      const from = Date.now() / 1_000;
      const portfolios = await trade(daemon, exchange);
      await sleep(3_000);
      if (prometheus !== undefined) await judge(prometheus, daemon, from);
      await readAsGrafana(portfolios);
      if (prometheus !== undefined) await tamper(daemon, prometheus);
    } finally {
      await prometheus?.close();
    }
  }, 960_000);
});

/** The expressions without data in the time from then until now. */
async function faultsSince(prometheus: PrometheusServer, from: number): Promise<readonly string[]> {
  const to = Date.now() / 1_000;
  const faults: string[] = [];
  for (const { expr, legend } of expressions) {
    const found = await prometheus.range(unfiltered(asRun(expr)), from, to);
    const fault = faultOf(expr, legend, found);
    if (fault !== undefined) faults.push(fault);
  }
  for (const { alert, expr } of alerts) {
    await prometheus.range(expr, from, to);
    const selectors = selectorsIn(expr);
    expect(selectors.length, alert).toBeGreaterThan(0);
    for (const selector of selectors) {
      if (ABSENT.test(selector) || /code=~/.test(selector)) continue;
      const found = await prometheus.range(selector, from, to);
      if (found.length === 0) faults.push(`${alert}: no series: ${selector}`);
    }
  }
  return faults;
}

/** A rate is a number once something happened between two scrapes; requests continue until all of them were seen. */
async function judge(prometheus: PrometheusServer, daemon: Daemon, from: number): Promise<void> {
  let faults = await faultsSince(prometheus, from);
  for (let tries = 0; tries < TRIES_MAX && faults.length > 0; tries += 1) {
    await allOver(daemon);
    await sleep(500);
    faults = await faultsSince(prometheus, from);
  }
  expect(faults).toEqual([]);
  const to = Date.now() / 1_000;
  expect(await prometheus.faultyRules()).toEqual([]);
  const named = async (state: string): Promise<ReadonlySet<string | undefined>> => {
    const seen = await prometheus.range(`ALERTS{alertstate=~"${state}"}`, from, to);
    return new Set(seen.map(({ metric }) => metric['alertname']));
  };
  // The exchange is down for less time than its alert waits.
  const noticed = await named('pending|firing');
  for (const alert of ['TwapdStrategyFaults', 'TwapdMarketDataStale']) {
    expect(noticed).toContain(alert);
  }
  const fired = await named('firing');
  for (const never of ['AssumptionBroken', 'ForeignOrder', 'LedgerDown', 'QueueDown', 'Down']) {
    expect(fired).not.toContain(`Twapd${never}`);
  }
}

/** The reported series of breaches. */
async function breaches({ url }: Daemon): Promise<readonly string[]> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith('twapd_audit_breaches_total{') && !line.endsWith(' 0'));
}

/** Modifies a sealed event: the auditor finds the hash chain broken, and an alert fires. */
async function tamper(daemon: Daemon, prometheus: PrometheusServer): Promise<void> {
  const isCalled = async (): Promise<boolean> => {
    const firing = await prometheus.firing('TwapdAuditBreach');
    return firing.some(({ invariant, severity }) => invariant === 'I15' && severity === 'page');
  };
  expect(await isCalled()).toBe(false);
  // No breach was found while the data was intact: neither of positions (I5) nor any other.
  expect(await breaches(daemon)).toEqual([]);
  const id = await submit(daemon, { twapTrade: { durationSec: 120, frequencySec: 2 } });
  await onDatabase(addressOf(database), async (client) => {
    const isSealed = async (): Promise<boolean> => {
      const { rowCount } = await client.query(
        'SELECT 1 FROM audit_seal WHERE portfolio = $1 AND version >= 2',
        [id],
      );
      return rowCount === 1;
    };
    await until(isSealed, 60_000);
    const change = eventChanged(id, { version: 2, field: 'at', value: '1' });
    const changed = await client.query(change);
    expect(changed.rowCount).toBe(1);
  });
  await until(isCalled, 60_000);
}

async function readAsGrafana(portfolios: readonly string[]): Promise<void> {
  await onDatabase(addressOf(database), makeReader);
  const address = new URL(addressOf(database));
  if (address.searchParams.has('user')) address.searchParams.set('user', 'twapd_reader');
  else address.username = 'twapd_reader';
  address.password = 'reader';
  await onDatabase(
    address.href.replace(/^postgresql:\/\/:reader@/, 'postgresql://'),
    async (reader) => {
      for (const sql of [...queries, ...variables]) {
        for (const portfolio of portfolios) {
          const { rows, fields } = await reader.query(withVariables(sql, portfolio));
          expect(rows.length, sql).toBeGreaterThan(0);
          if (!series.has(sql)) continue;
          expect(fields.map(({ name }) => name)).toEqual(['time', 'metric', 'value']);
          expect(
            rows.every(({ time, value }) => time instanceof Date && isFiniteNumber(value)),
          ).toBe(true);
        }
      }
      await expect(reader.query('SELECT * FROM api_key')).rejects.toThrow('permission denied');
      await expect(reader.query('DELETE FROM event_row')).rejects.toThrow(
        /permission denied|read-only/,
      );
    },
  );
}

const isFiniteNumber = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(value);
