// A daemon with its stores and its exchange, on a port that it keeps over its lives, and a Prometheus that follows it with the
// rules of the project and without their waits.
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, PrometheusServer } from '../../monitoring/prometheus-server.ts';
import { FaultStage } from '../../support/daemon/fault-stage.ts';

export const WAIT_MS = 180_000;
const WAITS = '1s';

export interface ProcessStageOptions {
  readonly deployment: string;
  /** Lines of its configuration. */
  readonly config?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Host and port of an Alertmanager; then rules wait as they do in production. */
  readonly alertmanager?: string;
}

export class ProcessStage {
  readonly stage: FaultStage;
  readonly prometheus: PrometheusServer;

  private constructor(stage: FaultStage, prometheus: PrometheusServer) {
    this.stage = stage;
    this.prometheus = prometheus;
  }

  static async open(program: string, options: ProcessStageOptions): Promise<ProcessStage> {
    const { deployment, config = '', environment = {}, alertmanager } = options;
    const stage = await FaultStage.open({ deployment, environment });
    await stage.terminate();
    const text = readFileSync(stage.configPath, 'utf8');
    const port = await freePort();
    writeFileSync(stage.configPath, `${text.replace('port: 0', `port: ${port}`)}\n${config}`);
    await stage.start();
    const how = alertmanager === undefined ? { waits: WAITS } : { alertmanager };
    const prometheus = await PrometheusServer.start(program, `127.0.0.1:${port}`, how);
    const opened = new ProcessStage(stage, prometheus);
    // A rate is a number from the second scrape on.
    await opened.shows('count_over_time(up{job="twapd"}[1m]) > 1');
    return opened;
  }

  /** Waits until the alert fires. */
  fires(alert: string, withinMs = WAIT_MS): Promise<void> {
    return holding(() => this.isFiring(alert), `Twapd${alert} did not fire`, withinMs);
  }

  async isFiring(alert: string): Promise<boolean> {
    return (await this.prometheus.firing(`Twapd${alert}`)).length > 0;
  }

  /** Waits until the expression has a value. */
  shows(expr: string): Promise<void> {
    const hasValue = async (): Promise<boolean> => {
      const at = Date.now() / 1_000;
      return (await this.prometheus.range(expr, at, at)).length > 0;
    };
    return holding(hasValue, `${expr} has no value`);
  }

  /** Has a client ask for portfolios until it is over; returns the number of server errors that it got. */
  async askUntil(over: () => Promise<boolean>): Promise<number> {
    let errors = 0;
    for (const end = Date.now() + WAIT_MS; Date.now() < end && !(await over()); ) {
      const answer = await this.stage.daemon.client
        .page({ accountId: '10001' })
        .catch(() => undefined);
      if (answer?.kind === 'refused' && answer.status >= 500) errors += 1;
      await sleep(100);
    }
    return errors;
  }

  async close(): Promise<void> {
    await this.prometheus.close();
    await this.stage.close();
  }
}

/** Waits until it holds, and asks seldom: Prometheus answers beside a daemon that is measured. */
async function holding(
  holds: () => Promise<boolean>,
  otherwise: string,
  withinMs = WAIT_MS,
): Promise<void> {
  for (const end = Date.now() + withinMs; !(await holds()); await sleep(250)) {
    if (Date.now() > end) throw new Error(otherwise);
  }
}
