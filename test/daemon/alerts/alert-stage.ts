// A daemon with faulty connections to its stores and its exchange, on a port that it keeps over its lives, a real Prometheus with
// the rules of the project that does not wait, and a receiver of everything that people are notified of.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { HAPPENING_KINDS } from '../../../src/core/notify/happening.ts';
import { type HttpReceiver, httpReceiver } from '../../adapters/notices/http-receiver.ts';
import { until } from '../../adapters/until.ts';
import { twapd } from '../../main/cli-world.ts';
import { freePort, PrometheusServer } from '../../monitoring/prometheus-server.ts';
import { FaultStage, type StageOptions } from '../../support/daemon/fault-stage.ts';
import { course } from '../../support/engine/two-legs.ts';

export const WAIT_MS = 180_000;
export const POLL = { timeout: WAIT_MS, interval: 250 };
const WAITS = '1s';
const SECRET = { TWAPD_TEST_SECRET: 'a secret of the receiver that is long enough' };

interface Notice {
  readonly happenings: readonly { readonly kind: string }[];
}

export interface AlertStageOptions extends StageOptions {
  /** Changes the daemon's configuration file, given as text. */
  readonly configured?: (text: string) => string;
  /** Host and port of an Alertmanager; then rules wait as they do in production. */
  readonly alertmanager?: string;
}

export class AlertStage {
  readonly daemons: FaultStage;
  readonly prometheus: PrometheusServer;
  readonly #receiver: HttpReceiver;

  private constructor(daemons: FaultStage, prometheus: PrometheusServer, receiver: HttpReceiver) {
    this.daemons = daemons;
    this.prometheus = prometheus;
    this.#receiver = receiver;
  }

  /** @param program the path of Prometheus */
  static async open(program: string, options: AlertStageOptions): Promise<AlertStage> {
    const receiver = await httpReceiver();
    const environment = { ...options.environment, ...SECRET };
    const daemons = await FaultStage.open({ ...options, environment });
    try {
      await daemons.terminate();
      const { configured = (text: string) => text, alertmanager } = options;
      const ported = readFileSync(daemons.configPath, 'utf8').replace(
        'port: 0',
        `port: ${await freePort()}`,
      );
      const text = configured(ported);
      writeFileSync(daemons.configPath, `${text}${notifyAt(receiver.url)}`);
      await daemons.start();
      const { host } = new URL(daemons.daemon.url);
      const how = alertmanager === undefined ? { waits: WAITS } : { alertmanager };
      const prometheus = await PrometheusServer.start(program, host, how);
      const alerts = new AlertStage(daemons, prometheus, receiver);
      // A rate is a number, and an increase is seen, from the second scrape on.
      await alerts.shows('count_over_time(twapd_ready[5m]) >= 2');
      return alerts;
    } catch (error) {
      await daemons.close();
      throw error;
    }
  }

  /** Waits until each of the alerts, named without `Twapd`, fires. */
  async fires(...alerts: readonly string[]): Promise<void> {
    for (const alert of alerts) {
      const message = `Twapd${alert}`;
      await expect.poll(() => this.isFiring(alert), { ...POLL, message }).toBe(true);
    }
  }

  async isFiring(alert: string): Promise<boolean> {
    return (await this.prometheus.firing(`Twapd${alert}`)).length > 0;
  }

  /** Waits until the expression has a value. */
  async shows(expr: string): Promise<void> {
    // In a hook too, where nothing can be expected.
    const hasValue = async (): Promise<boolean> => {
      const now = Date.now() / 1_000;
      return (await this.prometheus.range(expr, now, now)).length > 0;
    };
    await until(hasValue, WAIT_MS);
  }

  /** Waits until people were notified of each of these kinds. */
  async notified(...kinds: readonly string[]): Promise<void> {
    for (const kind of kinds) {
      const isNotified = (): boolean =>
        this.#receiver.received.some(({ body }) =>
          (JSON.parse(body) as Notice).happenings.some((one) => one.kind === kind),
        );
      await expect.poll(isNotified, { ...POLL, message: kind }).toBe(true);
    }
  }

  /** Runs a command of the command line, which must succeed. */
  async done(...words: readonly string[]): Promise<void> {
    const { configPath, daemon, environment } = this.daemons;
    const { code, err } = await twapd([...words, '--config', configPath, '--url', daemon.url], {
      env: { ...environment },
    });
    expect([code, err], words.join(' ')).toEqual([0, err]);
  }

  async close(): Promise<void> {
    await this.prometheus.close();
    await this.daemons.close();
    await this.#receiver.close();
  }
}

const notifyAt = (url: string): string => `
notify:
  channels:
    hook: { kind: webhook, url: '${url}/hook', secret: env:TWAPD_TEST_SECRET, happenings: [${HAPPENING_KINDS}], digestSec: 1 }
  afterSec: 10
`;

/** A leg that follows the mid, with a slice each second. */
export const passive = (seconds: number): ReturnType<typeof course> => {
  const [perpetual] = course(seconds).legs;
  return { ...course(seconds), legs: [perpetual] } as unknown as ReturnType<typeof course>;
};
