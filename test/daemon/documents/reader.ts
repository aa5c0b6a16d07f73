// Follows a page of docs/ as a reader in a fresh clone does: types its commands in order into a terminal, and compares what
// they print with what the page shows. Ports are free ones; commands that stay until they are ended run alongside the others.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { watchLog } from '../../support/daemon/daemon-logs.ts';
import { type Block, COMMANDS, type Command, commandsOf, ROOT } from './page-blocks.ts';
import { missingLine, renamed } from './shown-output.ts';

const DEADLINE_MS = 240_000;
/** A portfolio of two minutes is over by then. */
const READ_AGAIN_MS = 180_000;
const SHOWN_LINES = 40;
const POLL_MS = 200;
const END_MS = 20_000;
/** What a clone has; packages are linked. */
const CLONED = [
  'src',
  'config',
  'strategies',
  'examples',
  'package.json',
  'package-lock.json',
  'twapd',
];
/** The ports that pages and configurations name. */
const PORTS = ['8080', '8081', '8082', '8090'];

/** Commands that go on until they are ended, and what they print when the reader continues. */
const STAYING: readonly (readonly [RegExp, RegExp])[] = [
  [/(^|\s)npm start/, /ready on http/],
  [/ exchange\b/, /exchange ready on/],
  [/ (rfq )?watch /, /\S/],
];
/** What only reads is read again until it is as shown, or the deadline has passed. */
const READING = / (list|show|curl .*metrics)\b/;

interface Running {
  readonly child: ChildProcess;
  readonly printed: () => string;
  readonly ended: Promise<number | undefined>;
}

export class Reader {
  /** Where the reader is: the clone. */
  readonly folder: string;
  readonly #home: string;
  readonly #ports: ReadonlyMap<string, string>;
  readonly #learned = new Map<string, string>();
  readonly #staying: Running[] = [];
  /** What did not do what the page says: place, command and output. */
  readonly faults: string[] = [];

  readonly #environment: NodeJS.ProcessEnv;

  private constructor(
    home: string,
    ports: ReadonlyMap<string, string>,
    environment: NodeJS.ProcessEnv,
  ) {
    this.#environment = environment;
    this.#home = home;
    this.folder = join(home, 'clone');
    this.#ports = ports;
  }

  /** @param environment variables that the page tells the reader to set with values of his own */
  static async arrive(environment: NodeJS.ProcessEnv = {}): Promise<Reader> {
    const free = await Promise.all(PORTS.map(freePort));
    const ports = new Map(PORTS.map((port, index) => [port, free[index] ?? '']));
    const reader = new Reader(mkdtempSync(join(tmpdir(), 'twapd-reader-')), ports, environment);
    mkdirSync(reader.folder);
    for (const name of CLONED) {
      cpSync(join(ROOT, name), join(reader.folder, name), {
        recursive: true,
        verbatimSymlinks: true,
      });
    }
    symlinkSync(join(ROOT, 'node_modules'), join(reader.folder, 'node_modules'));
    for (const name of ['paper', 'paper-remote', 'exchange']) {
      const path = join(reader.folder, 'config', `${name}.yaml`);
      writeFileSync(path, reader.#moved(readFileSync(path, 'utf8')));
    }
    // What is written `twapd` is the command of an installed package.
    reader.give(
      '../bin/twapd',
      `#!/bin/sh\nexec node ${reader.folder}/src/setup/run.mjs --quiet src/main/cli.ts "$@"\n`,
      0o755,
    );
    return reader;
  }

  /** Leaves a file that the page takes for granted. */
  give(name: string, text: string | Uint8Array, mode = 0o644): void {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
  }

  /** A name of the page that is another one in this run. */
  rename(name: string, actual: string): void {
    this.#learned.set(name, actual);
  }

  /** Starts what stays, before the page begins. */
  async start(text: string): Promise<void> {
    await this.#type({ where: 'before', text, shown: [] }, new Map());
    if (this.faults.length > 0) throw new Error(this.faults.join('\n'));
  }

  /** Waits until a portfolio is filled, the demo of two minutes for example; returns its id. */
  async filled(): Promise<string> {
    for (const until = performance.now() + DEADLINE_MS; ; await sleep(1_000)) {
      const text = await this.printed('./twapd list');
      const id = /^(\d+) .* FILLED /m.exec(text)?.[1];
      if (id !== undefined) return id;
      if (performance.now() > until) throw new Error(`nothing is filled:\n${text}`);
    }
  }

  /** What a command prints, without a terminal. */
  async printed(text: string): Promise<string> {
    const running = this.#run(text, 'pipe');
    const code = await running.ended;
    if (code !== 0) throw new Error(`${text}: exit code ${code}\n${running.printed()}`);
    return running.printed();
  }

  /** Runs a block of a page, and continues when it did not do what the page says: see {@link faults}. */
  async follow(block: Block): Promise<void> {
    const { notes } = block;
    const file = notes.get('file');
    if (file !== undefined) this.give(file, this.#moved(`${block.lines.join('\n')}\n`));
    if (!COMMANDS.includes(block.language) || notes.has('not run')) return;
    const seconds = Number(notes.get('after') ?? '0');
    if (seconds > 0) await sleep(seconds * 1_000);
    for (const command of commandsOf(block)) await this.#type(command, notes);
  }

  async #type({ where, text, shown }: Command, notes: Block['notes']): Promise<void> {
    const typed = this.#moved(renamed(text, this.#learned));
    const expected = notes.has('output not compared') ? [] : shown;
    const staying = STAYING.find(([command]) => command.test(typed))?.[1];
    const code = Number(notes.get('exits') ?? '0');
    for (const until = performance.now() + READ_AGAIN_MS; ; await sleep(POLL_MS)) {
      const running = this.#run(typed, 'terminal');
      if (staying !== undefined) this.#staying.push(running);
      const ended = await this.#over(running, staying, expected);
      const missing = missingLine(expected, running.printed(), this.#learned);
      const isRight = ended === (staying === undefined ? code : 'stays');
      if (isRight && missing === undefined) return;
      if (READING.test(typed) && performance.now() < until) continue;
      const why = isRight ? `did not print: ${missing}` : `ended with ${ended}`;
      const end = running.printed().split('\n').slice(-SHOWN_LINES).join('\n');
      this.faults.push(`${where}: ${typed}\n${why}; it printed\n${end}`);
      return;
    }
  }

  /** Waits for its end; of one that stays, for what the page shows of it. */
  async #over(
    { ended, printed }: Running,
    staying: RegExp | undefined,
    expected: readonly string[],
  ): Promise<number | 'stays' | undefined> {
    const until = performance.now() + DEADLINE_MS;
    let code: number | undefined;
    let isOver = false;
    void ended.then((value) => {
      code = value;
      isOver = true;
    });
    while (!isOver && performance.now() < until) {
      const isThere = staying?.test(printed()) ?? false;
      if (isThere && missingLine(expected, printed(), new Map()) === undefined) return 'stays';
      await sleep(POLL_MS);
    }
    return code;
  }

  /** In a terminal that is wide enough for every table of a page; a question is answered with yes. */
  #run(text: string, where: 'terminal' | 'pipe'): Running {
    const script = `stty cols 140 -echo 2>/dev/null; set -e\n${text}`;
    const [program, words]: [string, readonly string[]] =
      where === 'terminal'
        ? ['script', ['-qefc', `exec bash -c ${quoted(script)}`, '/dev/null']]
        : ['bash', ['-c', text]];
    const child = spawn(program, words, {
      cwd: this.folder,
      env: {
        PATH: `${this.#home}/bin:${process.env['PATH']}`,
        HOME: this.#home,
        NO_COLOR: '1',
        TERM: 'xterm',
        LANG: 'C.UTF-8',
        TZ: 'UTC',
        SHELL: '/bin/bash',
        ...this.#environment,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    watchLog(child);
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        if (printed.endsWith('[y/N] ') === false && (printed + text).includes('[y/N]'))
          child.stdin.write('y\n');
        printed += text;
      });
    }
    const ended = new Promise<number | undefined>((done) => {
      child.once('close', (code) => done(code ?? undefined));
    });
    return { child, printed: () => stripVTControlCharacters(printed), ended };
  }

  #moved(text: string): string {
    return text.replaceAll(/\b80[89]\d\b/g, (port) => this.#ports.get(port) ?? port);
  }

  /** Ends what still runs as Ctrl-C does, and leaves nothing behind. */
  async leave(): Promise<void> {
    if (!existsSync(this.#home)) return;
    for (const { child } of this.#staying) child.stdin?.write('\x03');
    const all = Promise.all(this.#staying.map(({ ended }) => ended));
    await Promise.race([all, sleep(END_MS, undefined, { ref: false })]);
    for (const { child } of this.#staying) {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }
    rmSync(this.#home, { recursive: true, force: true });
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return String(port);
}
