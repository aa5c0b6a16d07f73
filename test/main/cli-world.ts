// Runs the real command line as a process of its own, against a real gateway over in-memory operations that a
// test advances.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PortfolioSummary } from '../../src/core/portfolio/summary/portfolio-summary.ts';
import type { ApiKey } from '../../src/gateway/auth/key-store.ts';
import { loadConfig } from '../../src/main/config/load-config.ts';
import type { NewsType } from '../../src/ports/event-bus.ts';
import { must } from '../../src/values/assert.ts';
import { accountId, type PortfolioId } from '../../src/values/ids.ts';
import { instant } from '../../src/values/instant.ts';
import { GatewayUnderTest } from '../gateway/gateway-under-test.ts';

export const ROOT = new URL('../../', import.meta.url).pathname;
const NODE = join(ROOT, 'node_modules/.bin/node');
/** As in src/setup/launch.mjs: without the cache every process would recompile all of the source. */
const COMPILED = join(ROOT, 'node_modules/.cache/twapd');
const NODE_FLAGS = [
  '--disable-proto=delete',
  '--v8-pool-size=2',
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
];

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface CliOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Called with everything printed so far, each time there is more. */
  readonly onOut?: (out: string) => void;
}

export interface Running extends CliOptions {
  /** Called with the process once it has started. */
  readonly onStart?: (child: ChildProcess) => void;
}

/** The flags and the environment of a process that runs the command line. */
export const processOptions = (): { execArgv: string[]; env: NodeJS.ProcessEnv } => ({
  execArgv: NODE_FLAGS,
  env: { PATH: process.env['PATH'], NO_COLOR: '1', NODE_COMPILE_CACHE: COMPILED },
});

/** Resolves when the process ends. */
export function twapd(words: readonly string[], options: Running = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const { execArgv, env } = processOptions();
    const child = spawn(NODE, [...execArgv, join(ROOT, 'src/main/cli.ts'), ...words], {
      cwd: ROOT,
      env: { ...env, ...options.env },
    });
    options.onStart?.(child);
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
      options.onOut?.(out);
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.once('close', (code) => resolve({ code, out, err }));
  });
}

export class CliWorld {
  readonly gateway: GatewayUnderTest;
  readonly folder = mkdtempSync(join(tmpdir(), 'twapd-cli-'));

  constructor(gateway: GatewayUnderTest) {
    this.gateway = gateway;
  }

  static async start(): Promise<CliWorld> {
    const keys = demoKeys();
    const gateway = await GatewayUnderTest.start(
      {},
      { keys: { find: (id) => keys.get(id) }, now: () => instant(Date.now()) },
    );
    return new CliWorld(gateway);
  }

  async close(): Promise<void> {
    await this.gateway.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs a command against this gateway. */
  run(words: readonly string[], onOut?: (out: string) => void): Promise<Ran> {
    const options = onOut === undefined ? {} : { onOut };
    return twapd([...words, '--url', this.gateway.url], options);
  }

  /** Changes a portfolio and publishes the change. */
  move(
    portfolio: PortfolioId,
    messageType: NewsType,
    change: (summary: PortfolioSummary) => PortfolioSummary,
  ): void {
    const { operations, bus } = this.gateway;
    const before = must(operations.records.get(portfolio), `portfolio ${portfolio}`);
    const record = { ...change(before), updatedAt: before.updatedAt + 1 };
    operations.records.set(portfolio, record);
    const version = record.updatedAt;
    const at = instant(record.updatedAt);
    bus.publish([
      { messageType, portfolio, account: accountId(record.account), version, at, record },
    ]);
  }
}

/** Sets the fills of every leg of a portfolio to `filled`. */
export const withFills =
  (filled: string, remaining: string) =>
  (summary: PortfolioSummary): PortfolioSummary => ({
    ...summary,
    status: remaining === '0' ? 'filled' : 'active',
    ...(remaining === '0' ? { reason: 'filled' as const } : {}),
    legs: summary.legs.map((leg) => ({
      ...leg,
      filled,
      remaining,
      averagePrice: '61203.5',
      status: remaining === '0' ? ('filled' as const) : ('active' as const),
    })),
  });

/** The keys of config/paper.yaml. */
export function demoKeys(): ReadonlyMap<string, ApiKey> {
  const config = loadConfig(join(ROOT, 'config/paper.yaml'), { environment: () => undefined });
  if (config.kind === 'faulty') throw new Error('config/paper.yaml has faults');
  return new Map(
    config.value.keys.map(({ expiresAt: _none, ...key }) => [
      key.id,
      { ...key, secret: key.secret.reveal(), accounts: key.accounts.map(accountId) },
    ]),
  );
}
