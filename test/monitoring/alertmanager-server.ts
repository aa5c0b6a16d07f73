// A real Alertmanager with the configuration of the project, in a temporary folder, that tells receivers of a test. It waits
// a second where the project's waits longer, so that a short run shows what is sent.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../adapters/until.ts';
import { freePort } from './prometheus-server.ts';

const CONFIG = 'config/alertmanager/alertmanager.yml';

export interface PostedAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Absent: it fires. */
  readonly endsAt?: string;
}

export class AlertmanagerServer {
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #url: string;

  private constructor(child: ChildProcess, folder: string, url: string) {
    this.#process = child;
    this.#folder = folder;
    this.#url = url;
  }

  /** @param chats the addresses that the secrets of compose.yaml would have, by their names */
  static async start(
    program: string,
    chats: Readonly<Record<string, string>>,
  ): Promise<AlertmanagerServer> {
    const folder = mkdtempSync(join(tmpdir(), 'twapd-alertmanager-'));
    for (const [name, url] of Object.entries(chats)) writeFileSync(join(folder, name), url);
    const text = readFileSync(CONFIG, 'utf8')
      .replaceAll('/run/secrets/', `${folder}/`)
      .replaceAll(/(group_wait|group_interval): \w+/g, '$1: 1s');
    const config = join(folder, 'alertmanager.yml');
    writeFileSync(config, text);
    const address = `127.0.0.1:${await freePort()}`;
    const words = [
      `--config.file=${config}`,
      `--storage.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
      '--cluster.listen-address=',
      '--log.level=error',
    ];
    const child = spawn(program, words, { stdio: 'ignore' });
    const server = new AlertmanagerServer(child, folder, `http://${address}`);
    await until(() => server.#isReady());
    return server;
  }

  /** Where Prometheus reaches it. */
  get host(): string {
    return new URL(this.#url).host;
  }

  /** What Prometheus would send. */
  async post(...alerts: readonly PostedAlert[]): Promise<void> {
    const answer = await fetch(`${this.#url}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(alerts),
    });
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  }

  /** The state of each alert that fires, by its name: `active`, or `suppressed` if another one inhibits it. */
  async states(): Promise<Readonly<Record<string, string>>> {
    const answer = await fetch(`${this.#url}/api/v2/alerts`);
    const alerts = (await answer.json()) as readonly {
      readonly labels: Readonly<Record<string, string>>;
      readonly status: { readonly state: string };
    }[];
    return Object.fromEntries(
      alerts.map(({ labels, status }) => [labels['alertname'], status.state]),
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
}
