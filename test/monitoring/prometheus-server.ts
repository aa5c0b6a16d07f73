// A real Prometheus with the configuration and rules of the project, in a temporary folder, scraping one
// daemon. Rules without an interval of their own are evaluated every second, so that a short run shows their
// results.
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { until } from '../adapters/until.ts';

const FOLDER = 'config/prometheus';

export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [number, string])[];
}

export class PrometheusServer {
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #url: string;

  private constructor(child: ChildProcess, folder: string, url: string) {
    this.#process = child;
    this.#folder = folder;
    this.#url = url;
  }

  /**
   * @param waits how long an expression has to hold before its alert fires; default: as in the rules
   * @param alertmanager host and port of one that gets the alerts; default: nobody gets them
   */
  static async start(
    program: string,
    target: string,
    { waits, alertmanager }: { readonly waits?: string; readonly alertmanager?: string } = {},
  ): Promise<PrometheusServer> {
    const folder = mkdtempSync(join(tmpdir(), 'twapd-prometheus-'));
    cpSync(FOLDER, folder, { recursive: true });
    for (const file of waits === undefined ? [] : ['alerts.yml', 'budgets.yml']) {
      const path = join(folder, file);
      const rules = readFileSync(path, 'utf8').replaceAll(/^( +for:) .*$/gm, `$1 ${waits}`);
      writeFileSync(path, rules);
    }
    const receivers = alertmanager === undefined ? [] : [{ targets: [alertmanager] }];
    const config = parse(readFileSync(join(FOLDER, 'prometheus.yml'), 'utf8')) as {
      readonly global: object;
    };
    const quick = {
      ...config,
      global: { ...config.global, evaluation_interval: '1s' },
      alerting: { alertmanagers: [{ static_configs: receivers }] },
      scrape_configs: [{ job_name: 'twapd', static_configs: [{ targets: [target] }] }],
    };
    writeFileSync(join(folder, 'prometheus.yml'), stringify(quick));
    const address = `127.0.0.1:${await freePort()}`;
    const child = spawn(
      program,
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=${address}`,
        '--log.level=error',
      ],
      { stdio: 'ignore' },
    );
    const server = new PrometheusServer(child, folder, `http://${address}`);
    await until(() => server.#isReady());
    return server;
  }

  /**
   * Every series of the expression over the given time, sampled each second. Throws on an invalid expression.
   */
  async range(expr: string, from: number, to: number): Promise<readonly Series[]> {
    const query = new URLSearchParams({ query: expr, start: `${from}`, end: `${to}`, step: '1' });
    const { resultType, result } = await this.#query<{
      readonly resultType: string;
      readonly result: readonly Series[];
    }>(`query_range?${query}`, expr);
    if (resultType !== 'matrix') throw new Error(`${expr} gives a ${resultType}`);
    return result;
  }

  /** The labels of each alert that is firing now. */
  async firing(alert: string): Promise<readonly Series['metric'][]> {
    const expr = `ALERTS{alertname="${alert}",alertstate="firing"}`;
    const { result } = await this.#query<{ readonly result: readonly Pick<Series, 'metric'>[] }>(
      `query?${new URLSearchParams({ query: expr })}`,
      expr,
    );
    return result.map(({ metric }) => metric);
  }

  /** Rules that could not be evaluated, with their errors. */
  async faultyRules(): Promise<readonly string[]> {
    const { groups } = await this.#query<{
      readonly groups: readonly {
        readonly rules: readonly {
          readonly name: string;
          readonly health: string;
          readonly lastError?: string;
        }[];
      }[];
    }>('rules', 'rules');
    return groups.flatMap(({ rules }) =>
      rules.flatMap(({ name, health, lastError }) =>
        health === 'err' ? [`${name}: ${lastError}`] : [],
      ),
    );
  }

  async close(): Promise<void> {
    const ended = new Promise((done) => this.#process.once('exit', done));
    this.#process.kill('SIGKILL');
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #isReady(): Promise<boolean> {
    try {
      return (await fetch(`${this.#url}/-/ready`)).ok;
    } catch {
      return false; // Not listening yet.
    }
  }

  async #query<T>(path: string, what: string): Promise<T> {
    const answer = await fetch(`${this.#url}/api/v1/${path}`);
    const body = (await answer.json()) as { readonly data: T; readonly error?: string };
    if (!answer.ok) throw new Error(`${what}: ${body.error}`);
    return body.data;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
