// What `start` shows on a terminal in place of the log: a line about the start, a banner, then a few redrawn lines below the
// warnings and faults, which stay. The log goes to a file. It runs in the supervisor, whose end would end the daemon: whatever
// fails here ends the display and nothing else.
import process from 'node:process';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { readableLines } from '../../../adapters/telemetry/log/line-sink.ts';
import { LineWriter } from '../../../adapters/telemetry/log/line-writer.ts';
import { throwProgrammingError } from '../../../values/errors/programming-error.ts';
import { printable, printableData, printableDrawing } from '../../../values/printable.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { PartMessage, PartName } from '../../lifecycle/part-messages.ts';
import type { Display } from '../../parts/supervisor.ts';
import type { Terminal } from '../command.ts';
import type { Daemon } from '../daemon-client.ts';
import { clockText, paint } from '../terminal/paint.ts';
import { RedrawInPlace } from '../watch/redraw-in-place.ts';
import { noticeOf as troubleOf, waitMsOf } from '../watch/top.ts';
import { readTop, type TopReading } from '../watch/top-reading.ts';
import { type BannerFacts, bannerLines } from './banner.ts';
import { consoleLines, isQuitMeant, progressLine, QUIT_AGAIN } from './console-screen.ts';
import { LogFile } from './log-file.ts';
import { noticeLines, noticeOf, RepeatedNotices } from './log-line.ts';
import { pageLink, showInBrowser } from './page-link.ts';

export interface ConsoleOptions {
  readonly terminal: Pick<Terminal, 'columns' | 'rows'>;
  readonly facts: Pick<BannerFacts, 'version' | 'money' | 'venues' | 'dataDir'>;
  readonly logFolder: string;
  /** The daemon on its port; `undefined`: there is no key to read it with. */
  readonly reach: (port: number) => Daemon | undefined;
  readonly urlOf: (port: number) => string;
}

type Phase = 'starting' | 'ready' | 'ending' | 'closed';

const STDOUT = 1;
const BUFFER_MAX_BYTES = 1024 * 1024;
const TICK_MS = 200;
/** Reading the metrics costs the engine some milliseconds. */
const READ_EVERY_MS = 2_000;
/** Lines of the log that `l` begins with. */
const RECENT_MAX = 40;
/** Bounds the wait for the last lines of the parts, in case a process that outlives them keeps their output open. */
const LAST_OUTPUT_MS = 10_000;
const CTRL_C = '\u0003';
const LOG_TIMES = { terminal: 'UTC:HH:MM:ss.l', file: "UTC:yyyy-mm-dd'T'HH:MM:ss.l'Z'" } as const;

export class DaemonConsole implements Display {
  readonly #options: ConsoleOptions;
  readonly #writer = new LineWriter({
    fd: STDOUT,
    bufferMaxBytes: BUFFER_MAX_BYTES,
    onDropped: () => undefined,
    onFlush: () => undefined,
  });
  readonly #drawing: RedrawInPlace;
  readonly #repeated = new RepeatedNotices();
  readonly #inFile = readableLines({ isColoured: false, time: LOG_TIMES.file });
  readonly #onScreen = readableLines({
    isColoured: paint.isColorSupported,
    time: LOG_TIMES.terminal,
  });
  readonly #outputs: Promise<unknown>[] = [];
  readonly #startedMs = performance.now();
  #log: LogFile | undefined;
  #phase: Phase = 'starting';
  #what = 'starting the ledger and the queue';
  #sinceMs = performance.now();
  #daemon: Daemon | undefined;
  #reading: TopReading | undefined;
  #trouble: Error | undefined;
  #isLogShown = false;
  #recent: string[] = [];
  #drawn = '';
  /** When `q` was last pressed. */
  #quitMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ConsoleOptions) {
    this.#options = options;
    const { terminal } = options;
    const draw = (text: string): void => this.#writer.write(printableDrawing(text));
    this.#drawing = new RedrawInPlace({ ...terminal, draw });
  }

  open(): void {
    this.#guarded(() => {
      this.#openLog();
      this.#timer = setInterval(() => this.#guarded(() => this.#tick()), TICK_MS);
      process.stdout.on('resize', this.#resized);
      this.#readKeys();
      this.#draw();
    });
  }

  output(streams: readonly Readable[]): void {
    for (const stream of streams) {
      let rest = '';
      stream.setEncoding('utf8').on('data', (text: string) => {
        const lines = `${rest}${text}`.split('\n');
        rest = lines.pop() ?? '';
        this.#take(lines);
      });
      const ended = new Promise<void>((resolve) => stream.once('close', resolve));
      this.#outputs.push(ended.then(() => this.#take([rest])));
    }
  }

  message(message: PartMessage): void {
    this.#guarded(() => {
      if (message.kind === 'stores') this.#what = 'starting the engine';
      if (message.kind === 'engine') this.#what = 'starting the gateway';
      if (message.kind === 'listening' && this.#phase === 'starting') {
        void this.#guardedUntilDone(this.#ready(message.port));
      }
    });
  }

  /** A part has ended: what was read of it last is not its state. */
  say(text: string): void {
    this.#trouble = new Error(text);
    this.#warn(text);
  }

  ending(next: PartName): void {
    this.#guarded(() => {
      if (this.#phase !== 'ending') this.#sinceMs = performance.now();
      this.#phase = 'ending';
      this.#what = next === 'gateway' ? 'stopping: clients' : 'stopping: orders in flight, stores';
      this.#draw();
    });
  }

  /** Says how the daemon ended, and leaves the terminal as it was. */
  async close(code: number): Promise<void> {
    // A part that has ended may have written more than was read.
    await Promise.race([Promise.all(this.#outputs), sleep(LAST_OUTPUT_MS)]);
    this.#guarded(() => {
      const seconds = ((performance.now() - this.#sinceMs) / 1_000).toFixed(1);
      const wasReady = this.#daemon !== undefined || this.#phase === 'ending';
      const log = this.#log === undefined ? '' : `; log: ${this.#log.path}`;
      const how =
        code === 0
          ? `${paint.green('stopped in order')} after ${seconds} s`
          : paint.red(`${wasReady ? 'stopped' : 'not started'}, exit code ${code}${log}`);
      this.#leave([how]);
    });
    await Promise.all([this.#writer.close(), this.#log?.close()]);
  }

  #openLog(): void {
    try {
      this.#log = new LogFile({ folder: this.#options.logFolder });
    } catch (error) {
      throwProgrammingError(error);
      const { message } = error as NodeJS.ErrnoException;
      this.#warn(`the log is not kept in a file: ${message}`);
    }
  }

  async #ready(port: number): Promise<void> {
    const readyMs = performance.now() - this.#startedMs;
    const { facts, reach, urlOf } = this.#options;
    const daemon = reach(port);
    this.#daemon = daemon;
    const link = daemon && (await this.#newLink(daemon));
    if (this.#phase !== 'starting') return;
    this.#phase = 'ready';
    const banner = { ...facts, url: urlOf(port), readyMs, link, logPath: this.#log?.path };
    this.#draw(bannerLines(banner, this.#options.terminal.columns()));
    if (daemon === undefined)
      this.#trouble = new Error('the configuration has no key to read with');
    else await this.#follow(daemon);
  }

  /** `undefined`: there is none, and why is shown. */
  async #newLink(daemon: Daemon): Promise<BannerFacts['link']> {
    try {
      // The link stays on the screen: on a live deployment it is for reading.
      const scopes = this.#options.facts.money === 'live' ? (['read'] as const) : undefined;
      const { link, expiresAt } = await pageLink(daemon, scopes);
      return { address: link, until: clockText(expiresAt).slice(0, 8) };
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      this.#warn(`no link to the page: ${error.lines.join('; ')}`);
      return undefined;
    }
  }

  async #follow(daemon: Daemon): Promise<void> {
    while (this.#phase === 'ready') {
      try {
        this.#reading = printableData(await readTop(daemon));
        this.#trouble = undefined;
      } catch (error) {
        throwProgrammingError(error);
        // The daemon is away or refuses: that is shown in place of the figures.
        this.#trouble = error instanceof Error ? error : new Error(String(error));
      }
      await sleep(Math.max(READ_EVERY_MS, waitMsOf(this.#trouble)), undefined, { ref: false });
    }
  }

  #take(lines: readonly string[]): void {
    const written = lines.filter((line) => line.trim() !== '');
    this.#record(written);
    this.#guarded(() => this.#show(written));
  }

  /** Also once the display has failed. */
  #record(lines: readonly string[]): void {
    try {
      for (const line of lines) this.#log?.write(this.#inFile(line));
    } catch (error) {
      // Unexamined: whatever it is, the daemon continues without the file, and says so.
      this.#log = undefined;
      this.#warn(`the log is no longer kept in a file: ${String(error)}`);
    }
  }

  #show(lines: readonly string[]): void {
    const nowMs = performance.now();
    const kept: string[] = [];
    for (const line of lines) {
      this.#recent = [...this.#recent, line].slice(-RECENT_MAX);
      const notice = noticeOf(line);
      if (this.#isLogShown) kept.push(this.#onScreen(line).trimEnd());
      else if (notice !== undefined && this.#repeated.admits(notice, nowMs)) {
        kept.push(...noticeLines(notice, this.#options.terminal.columns()));
      }
    }
    if (kept.length > 0) this.#draw(kept);
  }

  #warn(text: string): void {
    const line = { level: 'warn', time: new Date().toISOString(), msg: text };
    this.#take([JSON.stringify(line)]);
  }

  #tick(): void {
    const { terminal } = this.#options;
    const counts = this.#repeated.ended(performance.now());
    this.#draw(counts.flatMap((notice) => noticeLines(notice, terminal.columns())));
  }

  /** Draws what has changed. */
  #draw(kept: readonly string[] = []): void {
    if (this.#phase === 'closed') return;
    const lines = this.#lines();
    const drawn = lines.join('\n');
    if (kept.length === 0 && drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#drawing.draw(lines, kept);
  }

  #lines(): readonly string[] {
    const { terminal } = this.#options;
    const columns = terminal.columns();
    if (this.#phase !== 'ready') {
      return [progressLine(this.#what, performance.now() - this.#sinceMs, columns)];
    }
    // To the second: what moves faster would redraw for nothing.
    const nowMs = Math.floor(Date.now() / 1_000) * 1_000;
    const at = { nowMs, columns, rows: terminal.rows(), isLogShown: this.#isLogShown };
    return consoleLines(this.#reading, { ...at, ...troubleOf(this.#trouble) });
  }

  #resized = (): void => {
    this.#drawn = '';
    this.#guarded(() => this.#draw());
  };

  #readKeys(): void {
    const { stdin } = process;
    if (!stdin.isTTY) return;
    stdin.setRawMode(true);
    stdin.on('data', this.#pressed);
    // The terminal is gone: the daemon continues.
    stdin.on('error', () => undefined);
    stdin.resume();
  }

  #pressed = (keys: Buffer): void => {
    for (const key of keys.toString().toLowerCase()) {
      this.#guarded(() => {
        if (key === 'q') this.#quit();
        if (key === CTRL_C) process.kill(process.pid, 'SIGINT');
        if (key === 'l') this.#showLog();
        if (key === 'o') void this.#guardedUntilDone(this.#openPage());
      });
    }
  };

  #quit(): void {
    const { money } = this.#options.facts;
    const nowMs = performance.now();
    const isMeant = this.#phase !== 'ready' || isQuitMeant(money, this.#quitMs, nowMs);
    this.#quitMs = nowMs;
    if (isMeant) process.kill(process.pid, 'SIGINT');
    else this.#draw([paint.yellow(QUIT_AGAIN)]);
  }

  #showLog(): void {
    this.#isLogShown = !this.#isLogShown;
    const recent = this.#isLogShown ? this.#recent : [];
    this.#draw(recent.map((line) => this.#onScreen(line).trimEnd()));
  }

  async #openPage(): Promise<void> {
    const link = this.#phase === 'ready' && this.#daemon && (await this.#newLink(this.#daemon));
    if (!link) return;
    const isOpening = showInBrowser(link.address);
    const note = paint.dim(`good once, until ${link.until} UTC`);
    this.#draw([`${isOpening ? 'opening ' : ''}${link.address}`, note]);
  }

  #guarded(run: () => void): void {
    if (this.#phase === 'closed') return;
    try {
      run();
    } catch (error) {
      // Unexamined: the daemon continues; what it is stands on the terminal.
      this.#fail(error);
    }
  }

  async #guardedUntilDone(done: Promise<void>): Promise<void> {
    try {
      await done;
    } catch (error) {
      // Unexamined: the daemon continues; what it is stands on the terminal.
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#phase === 'closed') return;
    const what = printable(error instanceof Error ? (error.stack ?? error.message) : String(error));
    this.#leave([`the display has failed, the daemon goes on; stop it with Ctrl-C: ${what}`]);
  }

  /** The terminal is as it was; what the parts write goes to the log file only. */
  #leave(last: readonly string[]): void {
    this.#phase = 'closed';
    clearInterval(this.#timer);
    process.stdout.off('resize', this.#resized);
    this.#drawing.draw([], last);
    const { stdin } = process;
    stdin.off('data', this.#pressed);
    stdin.pause();
    try {
      if (stdin.isTTY) stdin.setRawMode(false);
    } catch {
      // Unexamined: the terminal is gone.
    }
  }
}
