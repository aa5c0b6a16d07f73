// The processes and clients of one resident, and the disturbances of the processes while they work: stops, kills
// and starts of the daemon and of the exchange.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Desk } from './desk.ts';
import {
  ACCOUNTS,
  type Arrangement,
  keyOf,
  type ResidentFiles,
  residentFiles,
  SECRETS,
} from './files.ts';
import { HandTrader } from './hand-trader.ts';
import { Neighbour } from './neighbour.ts';
import { NewsListener } from './news-listener.ts';
import {
  command,
  Logs,
  memoryMb,
  processesOf,
  processorSec,
  type RunningProcess,
  startProcess,
} from './processes.ts';
import { Starvation } from './starvation.ts';
import { TradeListener } from './trade-listener.ts';
import { Watchers } from './watchers.ts';

export type Disturbance = 'stop daemon' | 'kill daemon' | 'kill exchange' | 'kill both';

/** A disturbance of a process, or a time in which the machine was overloaded. */
export interface Disturbed {
  readonly what: Disturbance | 'starved';
  readonly fromMs: number;
  untilMs: number;
}

/** One life of the daemon and its memory over time. */
export interface DaemonLife {
  readonly pid: number | undefined;
  readonly startedMs: number;
  readonly samples: number[];
}

const LEFT_MS_MAX = 15_000;
/** The exit code of a stop that took too long. */
const CUT_SHORT = 70;
const LOOK_MS = 50;

export class House {
  readonly arrangement: Arrangement;
  readonly files: ResidentFiles;
  readonly logs = new Logs();
  readonly faults: string[] = [];
  readonly lives: DaemonLife[] = [];
  /** The disturbances, each from its start until the process was back. */
  readonly disturbed: Disturbed[] = [];
  readonly starvation = new Starvation();
  readonly listeners: NewsListener[] = [];
  readonly traders: TradeListener[] = [];
  daemon!: RunningProcess;
  exchange: RunningProcess | undefined;
  desk!: Desk;
  hand!: HandTrader;
  watchers!: Watchers;
  readonly neighbour: Neighbour;
  /** The processor seconds used by ended lives of daemon and exchange. */
  #spentSec = 0;
  readonly #onExit = (): void => {
    for (const left of processesOf(this.files.folder)) kill(Number(left.split(' ')[0]));
  };

  static async open(arrangement: Arrangement, atWork: number): Promise<House> {
    const house = new House(arrangement, await residentFiles(arrangement));
    try {
      await house.#open(atWork);
      return house;
    } catch (error) {
      await house.clear();
      throw error;
    }
  }

  private constructor(arrangement: Arrangement, files: ResidentFiles) {
    this.arrangement = arrangement;
    this.files = files;
    this.neighbour = new Neighbour(files.folder);
    process.once('exit', this.#onExit);
  }

  /** The processor seconds used by daemon and exchange. */
  get processorSec(): number {
    const pids = [this.daemon, this.exchange].map((one) => one?.child.pid);
    return pids.reduce<number>((sum, pid) => sum + processorSec(pid), this.#spentSec);
  }

  /** The number of the latest transaction that clients received. */
  get transactions(): number {
    const last = Math.max(
      ...this.listeners.map(({ last }) => Number((last ?? 0n) / 1_000_000_000n)),
    );
    return Math.max(0, last);
  }

  async #open(atWork: number): Promise<void> {
    if (this.files.exchangeConfig !== undefined) await this.#startExchange();
    await this.#startDaemon();
    const { url } = this.daemon;
    const [first, second, third] = ACCOUNTS;
    this.listeners.push(
      new NewsListener(url, keyOf('listener'), { ordersOf: first }),
      new NewsListener(url, keyOf('listener')),
    );
    for (const account of [first, second]) {
      this.traders.push(new TradeListener(url, keyOf('listener'), account));
    }
    this.traders.push(new TradeListener(this.exchangeUrl, keyOf('listener'), third));
    for (const listener of this.listeners) await this.until(() => listener.isListening);
    this.desk = new Desk({ url, key: keyOf('trader'), atWork });
    this.hand = new HandTrader(url, keyOf('trader'), second);
    this.watchers = new Watchers(url, this.files.daemonConfig);
  }

  /** The URL of the exchange itself. */
  get exchangeUrl(): string {
    return this.files.exchangeUrl ?? this.daemon.url;
  }

  async disturb(what: Disturbance): Promise<void> {
    const one: Disturbed = { what, fromMs: Date.now(), untilMs: Number.POSITIVE_INFINITY };
    this.disturbed.push(one);
    if (what === 'stop daemon') await this.#stopDaemon();
    if (what === 'kill daemon' || what === 'kill both') await this.#kill(this.daemon);
    if ((what === 'kill exchange' || what === 'kill both') && this.exchange !== undefined) {
      await this.#kill(this.exchange);
      await this.#startExchange();
    }
    if (what !== 'kill exchange') await this.#startDaemon();
    const ready = async (): Promise<boolean> =>
      (await fetch(`${this.daemon.url}/readyz`)).status === 200;
    await this.until(() => ready().catch(() => false));
    one.untilMs = Date.now();
  }

  async #kill(one: RunningProcess): Promise<void> {
    this.#spentSec += processorSec(one.child.pid);
    one.child.kill('SIGKILL');
    await one.ended;
  }

  /** Stops the daemon; returns whether the machine was too overloaded for an orderly stop. */
  async #stopDaemon(): Promise<boolean> {
    this.#spentSec += processorSec(this.daemon.child.pid);
    this.daemon.child.kill('SIGTERM');
    const fromMs = Date.now();
    const code = await this.daemon.ended;
    // A stop has ten seconds. If the machine is overloaded, a stop that was cut short means nothing.
    const isCutShort = code === CUT_SHORT && this.starvation.since(fromMs);
    if (code !== 0 && !isCutShort) this.faults.push(`SIGTERM ended the daemon with ${code}`);
    return isCutShort;
  }

  async #startExchange(): Promise<void> {
    const words = ['exchange', '--config', this.files.exchangeConfig ?? ''];
    this.exchange = await this.#started('exchange', words);
  }

  async #startDaemon(): Promise<void> {
    this.daemon = await this.#started('daemon', ['start', '--config', this.files.daemonConfig]);
    this.lives.push({ pid: this.daemon.child.pid, startedMs: Date.now(), samples: [] });
  }

  #started(name: string, words: readonly string[]): Promise<RunningProcess> {
    return startProcess({ name, words, logs: this.logs, environment: SECRETS });
  }

  /** The current memory of the daemon, recorded with its life. */
  sampleMemory(): number {
    const life = this.lives.at(-1);
    const mb = memoryMb(life?.pid) ?? 0;
    if (mb > 0) life?.samples.push(mb);
    return mb;
  }

  /** Runs a command line of the daemon; returns its output in lines. */
  async run(words: readonly string[]): Promise<{ code: number | string; lines: string[] }> {
    const lines: string[] = [];
    const all = [...words, '--config', this.files.daemonConfig];
    const code = await command(all, (line) => lines.push(line), SECRETS).ended;
    return { code, lines };
  }

  exportPath(): string {
    return join(this.files.folder, 'events.jsonl');
  }

  /** Waits for a condition; the duration of the run as a whole is limited by the caller. */
  async until(holds: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await holds())) await sleep(LOOK_MS);
  }

  /** Ends everything in order and checks for leftover processes. */
  async close(): Promise<void> {
    const clients = [...this.listeners, ...this.traders, this.neighbour];
    await Promise.all(clients.map((one) => one.close()));
    const isCutShort = await this.#stopDaemon();
    if (this.exchange !== undefined) {
      this.exchange.child.kill('SIGTERM');
      const code = await this.exchange.ended;
      if (code !== 0) this.faults.push(`SIGTERM ended the exchange with ${code}`);
    }
    const untilMs = Date.now() + LEFT_MS_MAX;
    while (processesOf(this.files.folder).length > 0 && Date.now() < untilMs) await sleep(LOOK_MS);
    if (isCutShort) return;
    for (const left of processesOf(this.files.folder)) this.faults.push(`left running: ${left}`);
  }

  /** Ends every process, whatever happened. */
  async clear(): Promise<void> {
    for (const one of [...this.listeners, ...this.traders]) void one.close();
    for (const left of processesOf(this.files.folder)) kill(Number(left.split(' ')[0]));
    await this.until(() => processesOf(this.files.folder).length === 0);
    this.starvation.close();
    process.off('exit', this.#onExit);
    rmSync(this.files.folder, { recursive: true, force: true });
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
