// Several daemons of one deployment on one exchange, one ledger and one Redis, reached as their clients reach them.
import { setTimeout as sleep } from 'node:timers/promises';
import { signedHeaders } from '../../../src/gateway/auth/signed-stamp.ts';
import { type Client, connect } from '../../../src/gateway/client/client.ts';
import { accountId } from '../../../src/values/ids.ts';
import { course } from '../engine/two-legs.ts';
import { ANSWER_MS, type Daemon } from './daemon-process.ts';
import { FaultStage, type StageOptions } from './fault-stage.ts';

export const KEYS = {
  10001: ['demo-taker', 'dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ=='],
  10002: ['demo-maker', 'dHdhcGQtZGVtby1tYWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ=='],
  10003: ['demo-maker2', 'dHdhcGQtZGVtby1tYWtlcjItc2VjcmV0LTAxMjM0NTY3ODk='],
} as const;
export type Account = keyof typeof KEYS;
export const ACCOUNTS: readonly Account[] = [10001, 10002, 10003];

const SHARDS = 256;
const FILLED = 2;
const WAIT_MS_MAX = 120_000;
/** Each daemon looks at the leases twice a second. */
const LOOK_MS = 600;

export type Submitted = readonly (readonly [string, Account])[];

/** A value that the daemon publishes to Prometheus. */
export async function metric(daemon: Daemon, name: string): Promise<number> {
  const text = await (await fetch(`${daemon.url}/metrics`)).text();
  return Number(new RegExp(`^${name}(?:{part="\\w+"})? (.*)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

export async function until(what: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + WAIT_MS_MAX; !(await what()); await sleep(100)) {
    if (Date.now() > end) throw new Error(`not so after two minutes: ${what}`);
  }
}

export const clientOf = (daemon: Daemon, account: Account): Client => {
  const [keyId, secret] = KEYS[account];
  return connect({ baseUrl: daemon.url, timeoutMs: ANSWER_MS, keyId, secret });
};

/** Calls an order method, which needs no client of its own. */
export async function request(
  daemon: Daemon,
  account: Account,
  method: string,
  params: object,
  // biome-ignore lint/suspicious/noExplicitAny: replies have every shape
): Promise<any> {
  const [keyId, secret] = KEYS[account];
  const target = `/api/${method}`;
  const body = Buffer.from(JSON.stringify(params));
  const headers = signedHeaders({ keyId, secret }, Date.now(), { method: 'POST', target, body });
  const response = await fetch(`${daemon.url}${target}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  return await response.json();
}

/** The queue's jobs in a state, as the page of the queue lists them. */
export async function queuedJobs(daemon: Daemon, status: 'delayed' | 'active' | 'failed') {
  const [keyId, secret] = KEYS[10001];
  const target = `/queues/api/queues?activeQueue=twapd-wake&status=${status}&jobsPerPage=1000`;
  const bound = { method: 'GET', target, body: Buffer.alloc(0) };
  const headers = signedHeaders({ keyId, secret }, Date.now(), bound);
  const answer = await fetch(`${daemon.url}${target}`, { headers });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  const { queues } = (await answer.json()) as { queues: readonly { jobs: readonly QueuedJob[] }[] };
  return queues.flatMap(({ jobs }) => jobs);
}

interface QueuedJob {
  readonly id: string;
  readonly data: {
    readonly shard?: number;
    readonly slices?: readonly {
      readonly portfolio: string;
      readonly leg?: number;
      readonly slice?: number;
      readonly due?: string;
      readonly wakeAt: number;
    }[];
  };
}

/** Submits two legs over so many seconds, as {@link submitAgain}. */
export const submit = (daemon: Daemon, account: Account, seconds: number): Promise<string> =>
  submitAgain(clientOf(daemon, account), { ...course(seconds), accountId: account });

/** A daemon that sheds load is asked again when it says. Returns the id of the portfolio. */
export async function submitAgain(
  client: Pick<Client, 'submit'>,
  ...request: Parameters<Client['submit']>
): Promise<string> {
  for (const end = Date.now() + WAIT_MS_MAX; ; ) {
    const answer = await client.submit(...request);
    if (answer.kind === 'done') return String(answer.value.portfolioId);
    const isShed = answer.kind === 'refused' && answer.status === 503;
    if (!isShed || Date.now() > end) throw new Error(JSON.stringify(answer));
    await sleep((answer.retryAfterSec ?? 1) * 1_000);
  }
}

export class DaemonDeployment {
  readonly stage: FaultStage;
  /** Those that run, by the order of their start. */
  readonly daemons: Daemon[];

  private constructor(stage: FaultStage, daemons: Daemon[]) {
    this.stage = stage;
    this.daemons = daemons;
  }

  static async open(
    deployment: string,
    options: Omit<StageOptions, 'deployment'> = {},
  ): Promise<DaemonDeployment> {
    const stage = await FaultStage.open({ ...options, deployment });
    const daemons = [stage.daemon, await stage.startBeside('second')];
    return new DaemonDeployment(stage, [...daemons, await stage.startBeside('third')]);
  }

  get first(): Daemon {
    const [first] = this.daemons;
    if (first === undefined) throw new Error('no daemon runs');
    return first;
  }

  /** Takes the latest one off the list of those that run. */
  takeLatest(): Daemon {
    const latest = this.daemons.pop();
    if (latest === undefined) throw new Error('no daemon runs');
    return latest;
  }

  async add(folder: string): Promise<void> {
    this.daemons.push(await this.stage.startBeside(folder));
  }

  async total(name: string): Promise<number> {
    return sum(await Promise.all(this.daemons.map((daemon) => metric(daemon, name))));
  }

  /**
   * Waits until every shard belongs to one of the running daemons, in equal shares, and stays there. A daemon that
   * stood still says for a moment what it owned before: the leases themselves have to agree, twice in a row.
   */
  async shared(): Promise<void> {
    let before = '';
    await until(async () => {
      const owned = await Promise.all(
        this.daemons.map((daemon) => metric(daemon, 'twapd_shards_owned')),
      );
      const leases = await this.leases();
      const held = [...Map.groupBy(leases, ({ owner }) => owner).values()].map(
        (group) => group.length,
      );
      const isEqual = sum(owned) === SHARDS && Math.max(...owned) - Math.min(...owned) <= 2;
      const isHeld = String(held.sort()) === String(owned.sort());
      const now = isEqual && isHeld ? JSON.stringify(leases) : '';
      const isQuiet = now !== '' && now === before;
      before = now;
      if (!isQuiet) await sleep(LOOK_MS);
      return isQuiet;
    });
  }

  /** Whose the shards are, read without the daemons. */
  leases(): Promise<readonly { shard: number; owner: string | null; epoch: number }[]> {
    return this.stage.query('SELECT shard, owner, epoch::int FROM shard_lease ORDER BY shard');
  }

  /** Until when each member has renewed its membership, in milliseconds. */
  memberships(): Promise<readonly { name: string; until: number }[]> {
    return this.stage.query(
      'SELECT name, extract(epoch FROM until)::float8 * 1000 AS until FROM member ORDER BY name',
    );
  }

  /** Submits for each account at each daemon, so that most are submitted where they are not owned. */
  async submitEverywhere(seconds: number): Promise<Submitted> {
    const submitted: (readonly [string, Account])[] = [];
    for (const account of ACCOUNTS) {
      for (const daemon of this.daemons) {
        submitted.push([await submit(daemon, account, seconds), account]);
      }
    }
    return submitted;
  }

  async filled(portfolios: Submitted): Promise<void> {
    for (const [id, account] of portfolios) {
      await until(async () => {
        const info = await clientOf(this.first, account).info(id);
        return info.kind === 'done' && info.value.portfolioStatus === FILLED;
      });
    }
  }

  /** Ends every process, and compares what ledger and exchange have of every account. */
  async expectSameBooks(): Promise<void> {
    await this.stage.expectSameBooks(ACCOUNTS.map((account) => accountId(String(account))));
  }

  async close(): Promise<void> {
    for (const one of this.daemons) await one.end('SIGKILL');
    await this.stage.close();
  }
}
