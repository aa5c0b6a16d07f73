// The simulation on real servers: ledger, stored answers, protections and switches in PostgreSQL, news over Redis. The
// virtual clock stops until every pending request to the servers is answered. BullMQ is not among
// them, because its delays and its worker use the machine's clock.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { migrate } from '../../src/adapters/postgres/migrate.ts';
import { PostgresLedger } from '../../src/adapters/postgres/postgres-ledger.ts';
import { startEmbeddedPostgres } from '../../src/adapters/postgres/private-server/embedded-postgres.ts';
import { PostgresSwitchRecords } from '../../src/adapters/postgres/records/postgres-switch-records.ts';
import type { PrivateServer } from '../../src/adapters/private-server/private-server.ts';
import { RedisEventBus } from '../../src/adapters/redis/redis-event-bus.ts';
import { startRedisServer } from '../../src/adapters/redis/redis-server.ts';
import type { EventBus, PortfolioNews } from '../../src/ports/event-bus.ts';
import type { CommitOutcome, Ledger, Turn } from '../../src/ports/ledger.ts';
import { must } from '../../src/values/assert.ts';
import { FanOut } from '../../src/values/fan-out.ts';
import type { Instant } from '../../src/values/instant.ts';
import type { Settle } from '../../src/virtual/virtual-clock.ts';
import { copyClusterTemplate } from '../support/daemon/cluster-template.ts';
import { settle } from './settle.ts';
import { frontOf, type Port } from './world/port-front.ts';
import type { SimulatedStores } from './world/simulated-stores.ts';

const FAST = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };
const TEMPLATE = 'twapd_template';
const GROUPS_AT_ONCE = 50;
const NUMBERS_USED_UP = 985;
const LOOK_MS = 1;
const COUNTED: ReadonlySet<string> = new Set([
  'commit',
  'load',
  'row',
  'shardOf',
  'active',
  'atWork',
  'overdue',
  'withOldRecord',
  'changedAt',
  'findByKey',
  'page',
  'claimOnce',
  'getMetadata',
  'setMetadata',
  'initMetadata',
]);
const KEPT: ReadonlySet<string> = new Set(['claim', 'keep', 'release']);
const SNAPSHOTS: ReadonlySet<string> = new Set(['save', 'load', 'of', 'delete']);
const MMP: ReadonlySet<string> = new Set(['commit', 'load', 'all', 'versions', 'events']);
const SWITCHES: ReadonlySet<string> = new Set(['after', 'add']);

/** Calls and messages that are under way: the clock waits for them. */
class UnderWay {
  #count = 0;
  #waiting: (() => void)[] = [];

  add(count = 1): void {
    this.#count += count;
  }

  done(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    for (const go of this.#waiting.splice(0)) go();
  }

  /** Until nothing is under way and nothing begins anything any more. */
  readonly settle = async (): Promise<void> => {
    await settle();
    while (this.#count > 0) {
      await new Promise<void>((go) => this.#waiting.push(go));
      await settle();
    }
  };

  /** The port with its calls counted. */
  front<T extends object>(port: T, methods: ReadonlySet<string>): T {
    return frontOf(port, methods, {
      pass: (name, of, given) => this.#counted(() => of[name]?.(...given)),
    });
  }

  /** The same, one call after the other in the order they were made. */
  inTurn<T extends object>(port: T, methods: ReadonlySet<string>): T {
    let last: Promise<unknown> = Promise.resolve();
    return frontOf(port, methods, {
      pass: (name: string, of: Port, given) => {
        const answer = this.#counted(() =>
          last.then(
            () => of[name]?.(...given),
            () => of[name]?.(...given),
          ),
        );
        last = answer;
        return answer;
      },
    });
  }

  async #counted(call: () => unknown): Promise<unknown> {
    this.add();
    try {
      return await call();
    } finally {
      this.done();
    }
  }
}

/** Stores of one run on a database and a channel of their own. */
export class RunStores {
  readonly #servers: RealServers;
  readonly #name: string;
  readonly #underWay = new UnderWay();
  readonly #faults: string[] = [];
  readonly #told: string[] = [];
  #ledger: PostgresLedger | undefined;
  readonly #bus: CrossingBus;
  #begin: bigint | undefined;

  constructor(servers: RealServers, name: string) {
    this.#servers = servers;
    this.#name = name;
    this.#bus = new CrossingBus(servers.redisUrl, name, this.#underWay, this.#onFault);
  }

  get settle(): Settle {
    return this.#underWay.settle;
  }

  readonly #onFault = (error: unknown): void => void this.#faults.push(String(error));

  readonly open = (now: () => Instant): SimulatedStores => {
    const connectionString = this.#servers.database(this.#name);
    const onFault = this.#onFault;
    const ledger = new PostgresLedger({ connectionString, now, onFault });
    this.#ledger = ledger;
    const counted: Ledger = this.#underWay.front<Ledger>(ledger, COUNTED);
    this.#underWay.add();
    void ledger.turnLog.newestPosition().then((position) => {
      this.#begin = position;
      this.#underWay.done();
    }, onFault);
    return {
      ledger: noted(counted, (turn) => this.#told.push(nameOf(turn))),
      bus: this.#bus,
      kept: this.#underWay.inTurn(ledger.keptAnswers, KEPT),
      snapshots: this.#underWay.inTurn(ledger.snapshots, SNAPSHOTS),
      mmpRecords: this.#underWay.inTurn(ledger.mmpRecords, MMP),
      switchRecords: this.#underWay.inTurn(
        new PostgresSwitchRecords({ connectionString, onFault }),
        SWITCHES,
      ),
    };
  };

  /** What does not hold of the stores themselves; then leaves them. */
  async close(): Promise<readonly string[]> {
    const ledger = must(this.#ledger, 'stores that were opened');
    const logged = await this.#logged(ledger).catch((error: unknown) => [String(error)]);
    const missing = this.#told.filter((name) => !logged.includes(name));
    const faults = [
      ...this.#faults,
      ...logged.filter((name) => !this.#told.includes(name)).map((name) => `turn log: ${name}`),
      ...missing.map((name) => `turn ${name} was committed and is not in the turn log`),
    ];
    await Promise.all([ledger.close(), this.#bus.close()]);
    return faults;
  }

  /** The turn log as a reader goes through it, place by place. */
  async #logged({ turnLog }: PostgresLedger): Promise<string[]> {
    const names: string[] = [];
    let from = must(this.#begin, 'a turn log with a beginning');
    for (;;) {
      const groups = await turnLog.groupsFrom(from, GROUPS_AT_ONCE);
      if (groups === undefined) return [...names, `forgotten at ${from}`];
      for (const { position, turns } of groups) {
        if (position === from) continue;
        if (position < from) return [...names, `${position} comes behind ${from}`];
        from = position;
        names.push(...turns.map((turn) => nameOf({ ...turn, upTo: turn.version })));
      }
      if (groups.length === 1) return names;
    }
  }
}

interface Named {
  readonly portfolio: string;
  readonly fromVersion: number;
  readonly upTo: number;
}

const nameOf = ({ portfolio, fromVersion, upTo }: Named): string =>
  `${portfolio} ${fromVersion} to ${upTo}`;

/** Records the published turns once they are durable. */
function noted(ledger: Ledger, note: (turn: Named) => void): Ledger {
  return frontOf(ledger, COMMIT, {
    pass: async (name, port, given): Promise<unknown> => {
      const turns = given[0] as readonly Turn[];
      // The leases of the run are in memory: those of the database have other epochs.
      const underNone = turns.map((turn) => ({ ...turn, lease: undefined }));
      const outcome = (await port[name]?.(underNone)) as CommitOutcome;
      if (outcome.kind !== 'committed') return outcome;
      for (const { portfolio, fromVersion, events, tells = 0 } of turns) {
        if (tells > 0) note({ portfolio, fromVersion, upTo: fromVersion + events.length });
      }
      return outcome;
    },
  });
}

const COMMIT: ReadonlySet<string> = new Set(['commit']);

/** News go out through one connection and come in through another, as between two processes. */
class CrossingBus implements EventBus {
  readonly #underWay: UnderWay;
  readonly #near: RedisEventBus;
  readonly #far: RedisEventBus;
  readonly #fanOut: FanOut<PortfolioNews>;

  constructor(url: string, prefix: string, underWay: UnderWay, onFault: (error: unknown) => void) {
    this.#underWay = underWay;
    const options = {
      url,
      prefix,
      onFault,
      onDropped: (count: number) => onFault(new Error(`${count} messages were dropped`)),
      onBadMessage: (why: string) => onFault(new Error(why)),
    };
    this.#near = new RedisEventBus(options);
    this.#far = new RedisEventBus(options);
    this.#fanOut = new FanOut(onFault);
    this.#far.subscribe((news) => {
      this.#fanOut.send([news]);
      underWay.done();
    });
  }

  publish(news: readonly PortfolioNews[]): void {
    this.#underWay.add(news.length);
    this.#near.publish(news);
  }

  subscribe(listener: (news: PortfolioNews) => void): () => void {
    return this.#fanOut.add(listener);
  }

  async close(): Promise<void> {
    await Promise.all([this.#near.close(), this.#far.close()]);
  }
}

/** A PostgreSQL and a Redis of their own, without anything that waits for the disk. */
export class RealServers {
  readonly redisUrl: string;
  readonly #postgres: PrivateServer;
  readonly #redis: PrivateServer;
  readonly #folder: string;
  #runs = 0;

  static async start(): Promise<RealServers> {
    const folder = await mkdtemp(join(tmpdir(), 'twapd-simulation-'));
    const log = { info: () => undefined, warn: (line: string) => console.warn(line) };
    copyClusterTemplate(join(folder, 'postgres'));
    const [redis, postgres] = await Promise.all([
      startRedisServer({ dataDir: join(folder, 'redis'), log, persistence: 'none' }),
      startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log, settings: FAST }),
    ]);
    const servers = new RealServers(folder, redis, postgres);
    await servers.#run(`CREATE DATABASE ${TEMPLATE}`);
    await migrate(servers.database(TEMPLATE));
    await servers.#useUpNumbers();
    return servers;
  }

  private constructor(folder: string, redis: PrivateServer, postgres: PrivateServer) {
    this.#folder = folder;
    this.#redis = redis;
    this.#postgres = postgres;
    this.redisUrl = redis.address;
  }

  database(name: string): string {
    return this.#postgres.address.replace('/twapd?', `/${name}?`);
  }

  async begin(): Promise<RunStores> {
    this.#runs += 1;
    const name = `run_${this.#runs}`;
    await this.#run(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
    const stores = new RunStores(this, name);
    const redis = new Redis(this.redisUrl);
    // Both ends of the bus are there before anything is said.
    while (Number((await redis.pubsub('NUMSUB', `${name}:news`))[1]) < 2) await sleep(LOOK_MS);
    redis.disconnect();
    return stores;
  }

  async end(): Promise<void> {
    await this.#run(`DROP DATABASE IF EXISTS run_${this.#runs} WITH (FORCE)`);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#redis.stop(), this.#postgres.stop()]);
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** A fresh cluster is a few hundred transactions short of a thousand: the first run gets to where numbers grow longer. */
  async #useUpNumbers(): Promise<void> {
    await this.#withClient(async (client) => {
      for (let number = 0; number < NUMBERS_USED_UP; ) {
        const { rows } = await client.query('SELECT pg_current_xact_id()::text AS number');
        number = Number(rows[0].number);
      }
    });
  }

  async #run(statement: string): Promise<void> {
    await this.#withClient((client) => client.query(statement));
  }

  async #withClient(use: (client: Client) => Promise<unknown>): Promise<void> {
    const client = new Client({ connectionString: this.database('postgres') });
    await client.connect();
    try {
      await use(client);
    } finally {
      await client.end();
    }
  }
}
