// Runs `twapd watch ID --json` as a separate process for one portfolio after the other, through all disturbances of
// the daemon: it must end by itself with the last record when the portfolio has ended.

import { units } from './decimals.ts';
import { SECRETS } from './files.ts';
import { command } from './processes.ts';

/** The number of concurrent processes: each costs a start of Node. */
const AT_ONCE = 1;
/** The exit code of commands that cannot reach the daemon. */
const AWAY = 3;

export class Watchers {
  readonly faults: string[] = [];
  /** Portfolios watched to the end. */
  done = 0;
  readonly #url: string;
  readonly #config: string;
  readonly #running = new Set<Promise<void>>();

  constructor(url: string, config: string) {
    this.#url = url;
    this.#config = config;
  }

  /** Watches the portfolio unless all watchers are busy. */
  offer(id: string): void {
    if (this.#running.size >= AT_ONCE) return;
    const watching = this.#watch(id).finally(() => this.#running.delete(watching));
    this.#running.add(watching);
  }

  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #watch(id: string): Promise<void> {
    const lines: string[] = [];
    const words = ['watch', id, '--json', '--url', this.#url, '--config', this.#config];
    const all = [...words, '--key', 'resident-watcher'];
    const code = await command(all, (line) => lines.push(line), SECRETS).ended;
    // There was no daemon when it started, which can happen to any user.
    if (code === AWAY && lines.every((line) => parsed(line) === undefined)) return;
    this.done += 1;
    const say = (what: string): void => void this.faults.push(`watch ${id}: ${what}`);
    if (code !== 0) return say(`ended with ${code}: ${lines.slice(-3).join(' | ')}`);
    let [filled, status] = [0n, 1];
    for (const line of lines) {
      const record = parsed(line);
      if (record === undefined) return say(`printed a line that is not a record: ${line}`);
      status = record.portfolioStatus;
      const next = units(record.legs[0]?.filledQuantity ?? '0');
      if (next < filled) say(`went back from ${filled} to ${next} filled`);
      filled = next;
    }
    if (status !== 2 && status !== 3) say(`ended while the portfolio had status ${status}`);
  }
}

interface Shown {
  readonly portfolioStatus: number;
  readonly legs: readonly { readonly filledQuantity: string }[];
}

function parsed(line: string): Shown | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
