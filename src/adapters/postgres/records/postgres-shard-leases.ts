// Leases of shards in the ledger's database. A member holds an advisory lock with the connection that it renews
// itself by, so that the others see within one look that its process is gone: PostgreSQL ends the lock with the
// connection.
import type { Lease, LeaseView, Member } from '../../../core/ownership/lease.ts';
import { LEASE_MS, type ShardLeases } from '../../../ports/deployment/shard-leases.ts';
import { must } from '../../../values/assert.ts';
import { ReadPool } from '../read-pool.ts';

export interface ShardLeasesOptions {
  /** Address of a database whose schema is up to date. */
  readonly connectionString: string;
  readonly statementTimeoutMs?: number;
  /** Called for faults that are handled. */
  readonly onFault?: (error: unknown) => void;
}

/** First key of the members' advisory locks; arbitrary, the same in every version of the program. */
const LOCK_CLASS = 749_201_356;

/** The advisory lock of the member with this name, as `pg_locks` lists it; two keys have `objsubid` 2. */
const lockOf = (name: string): string => `
  l.locktype = 'advisory' AND l.classid = ${LOCK_CLASS} AND l.objsubid = 2
  AND l.objid::bigint = (hashtext(${name})::bigint & 4294967295)
  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

const RENEW = `
WITH present AS (
  INSERT INTO member (name, is_leaving, address, until)
  VALUES ($1, $2, $4, clock_timestamp() + $3::int * interval '1 millisecond')
  ON CONFLICT (name) DO UPDATE SET is_leaving = excluded.is_leaving, address = excluded.address,
    until = excluded.until
), swept AS (
  DELETE FROM member WHERE until < clock_timestamp() - interval '10 minutes' AND name <> $1
)
SELECT pg_try_advisory_lock(${LOCK_CLASS}, hashtext($1))
WHERE NOT EXISTS (SELECT FROM pg_locks l WHERE l.pid = pg_backend_pid() AND ${lockOf('$1')})`;

const MEMBERS = `
SELECT name, is_leaving, address, until > clock_timestamp() AS is_current,
  EXISTS (SELECT FROM pg_locks l WHERE ${lockOf('member.name')}) AS is_connected
FROM member`;

/**
 * One statement sees one state of both tables: a daemon that joins and takes leases meanwhile must not pass for an owner who
 * is not there. As one row, because every daemon reads it twice a second.
 */
const VIEW = `
SELECT (SELECT coalesce(json_agg(json_build_array(shard, owner, epoch) ORDER BY shard), '[]') FROM shard_lease) AS leases,
  (SELECT coalesce(json_agg(m ORDER BY m.name COLLATE "C"), '[]') FROM (${MEMBERS}) m) AS members`;

const TAKE = `
UPDATE shard_lease l SET owner = $1, epoch = l.epoch + 1
FROM unnest($2::int2[], $3::int8[]) AS t (shard, epoch)
WHERE l.shard = t.shard AND l.epoch = t.epoch
RETURNING l.shard, l.owner, l.epoch::int`;

const RELEASE = `
UPDATE shard_lease SET owner = NULL, epoch = epoch + 1 WHERE owner = $1 AND shard = ANY ($2::int2[])`;

const LEAVE = `
WITH released AS (
  UPDATE shard_lease SET owner = NULL, epoch = epoch + 1 WHERE owner = $1
)
DELETE FROM member WHERE name = $1`;

interface MemberColumns {
  readonly name: string;
  readonly is_leaving: boolean;
  readonly address: string | null;
  readonly is_current: boolean;
  readonly is_connected: boolean;
}

interface LeaseColumns extends Record<string, unknown> {
  readonly shard: number;
  readonly owner: string | null;
  readonly epoch: number;
}

interface ViewColumns extends Record<string, unknown> {
  readonly members: readonly MemberColumns[];
  readonly leases: readonly (readonly [shard: number, owner: string | null, epoch: number])[];
}

export class PostgresShardLeases implements ShardLeases {
  readonly #pool: ReadPool;

  constructor(options: ShardLeasesOptions) {
    this.#pool = new ReadPool({
      connectionString: options.connectionString,
      // The lock belongs to the connection, so there is only one.
      maxConnections: 1,
      statementTimeoutMs: options.statementTimeoutMs ?? 2_000,
      connectTimeoutMs: 2_000,
      onFault: options.onFault ?? (() => undefined),
    });
  }

  async renew(self: Pick<Member, 'name' | 'isLeaving' | 'address'>): Promise<void> {
    const values = [self.name, self.isLeaving, LEASE_MS, self.address];
    await this.#pool.read({ name: 'renew member', text: RENEW, values });
  }

  async view(): Promise<LeaseView> {
    const [row] = await this.#pool.read<ViewColumns>({ name: 'members and leases', text: VIEW });
    const { members, leases } = must(row, 'a row without a condition');
    return {
      members: members.map((one) => ({
        name: one.name,
        isLeaving: one.is_leaving,
        address: one.address ?? undefined,
        isCurrent: one.is_current,
        isConnected: one.is_connected,
      })),
      leases: leases.map(([shard, owner, epoch]) => leaseOf({ shard, owner, epoch })),
    };
  }

  async take(name: string, leases: readonly Lease[]): Promise<readonly Lease[]> {
    const [shards, epochs] = [leases.map(({ shard }) => shard), leases.map(({ epoch }) => epoch)];
    const taken = await this.#pool.write<LeaseColumns>({
      name: 'take leases',
      text: TAKE,
      values: [name, shards, epochs],
    });
    return taken.map(leaseOf).sort((a, b) => a.shard - b.shard);
  }

  async release(name: string, shards: readonly number[]): Promise<void> {
    await this.#pool.write({ name: 'release leases', text: RELEASE, values: [name, shards] });
  }

  async leave(name: string): Promise<void> {
    await this.#pool.write({ name: 'leave', text: LEAVE, values: [name] });
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

const leaseOf = ({ shard, owner, epoch }: LeaseColumns): Lease => ({
  shard,
  epoch,
  owner: owner ?? undefined,
});
