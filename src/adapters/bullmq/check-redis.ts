// Checks a Redis before the daemon relies on it. Faults are returned as values; nothing is thrown.

import { Redis } from 'ioredis';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';
import { isUnreachable, unresolvedText } from '../../values/errors/unreachable.ts';
import { DeadlinePassed, withDeadline } from './deadline.ts';

export type RedisFaultKind =
  | 'unreachable'
  | 'refused'
  | 'too-old'
  | 'evicts'
  | 'policy-unknown'
  | 'replica'
  | 'cluster'
  | 'slow-timer';

export interface RedisFault {
  readonly kind: RedisFaultKind;
  /** `fatal`: wakes would be lost or never taken. `warning`: works, but suboptimally. */
  readonly severity: 'fatal' | 'warning';
  /** What is wrong and what is accepted. */
  readonly text: string;
}

const VERSION_MIN = [6, 2] as const;
/** Below this the lead has to compensate for most of a tenth of a second. */
const HZ_MIN = 50;
const ANSWER_MS_MAX = 5_000;

/**
 * Checks version, eviction policy, role, cluster mode and timer frequency of the Redis at `url`. `unreachable`: it may answer
 * another time; `refused`: it will not without a change, as of a password.
 */
export async function checkRedis(
  url: string,
  answerMsMax = ANSWER_MS_MAX,
): Promise<readonly RedisFault[]> {
  const failures: unknown[] = [];
  const client = new Redis(url, { retryStrategy: () => null, maxRetriesPerRequest: null });
  client.on('error', (error) => failures.push(error));
  try {
    return await withDeadline(inspect(client), answerMsMax, `asking the Redis at ${shown(url)}`);
  } catch (error) {
    throwProgrammingError(error);
    const why = failures.at(-1) ?? error;
    const told = unresolvedText(why) ?? (why instanceof Error ? why.message : String(why));
    const text = `no answer from the Redis at ${shown(url)}: ${told}`;
    return [{ kind: isAway(why) ? 'unreachable' : 'refused', severity: 'fatal', text }];
  } finally {
    client.disconnect();
  }
}

/** What a server that starts, or has no place for another client, says; and a connection that it ends. */
const BUSY = /^(LOADING|MASTERDOWN|ERR max number of clients|Connection is closed)/;

const isAway = (error: unknown): boolean =>
  isUnreachable(error) ||
  error instanceof DeadlinePassed ||
  (error instanceof Error && BUSY.test(error.message));

async function inspect(client: Redis): Promise<readonly RedisFault[]> {
  const lines = (await client.info()).split(/\r?\n/);
  const value = (name: string): string | undefined =>
    lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1);
  const faults = [
    versionFault(value('redis_version')),
    policyFault(value('maxmemory_policy') ?? (await configured(client, 'maxmemory-policy'))),
    value('role') === 'master' ? undefined : REPLICA,
    value('cluster_enabled') === '1' ? CLUSTER : undefined,
    timerFault(value('configured_hz') ?? value('hz')),
  ];
  return faults.filter((fault) => fault !== undefined);
}

/** `undefined` if the server does not permit the query. */
async function configured(client: Redis, name: string): Promise<string | undefined> {
  try {
    const reply = (await client.config('GET', name)) as readonly string[];
    return reply[1];
  } catch (error) {
    if (error instanceof Error && /unknown command|NOPERM|no permission/i.test(error.message)) {
      return undefined;
    }
    throw error;
  }
}

function versionFault(version: string | undefined): RedisFault | undefined {
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
  const [majorMin, minorMin] = VERSION_MIN;
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return undefined;
  const text = `redis_version is ${version ?? 'not told'}; ${VERSION_MIN.join('.')} or newer is needed`;
  return { kind: 'too-old', severity: 'fatal', text };
}

function policyFault(policy: string | undefined): RedisFault | undefined {
  if (policy === 'noeviction') return undefined;
  if (policy === undefined) {
    const text = 'maxmemory-policy cannot be read; it must be noeviction';
    return { kind: 'policy-unknown', severity: 'warning', text };
  }
  const text = `maxmemory-policy is ${policy}: wakes may be evicted; it must be noeviction`;
  return { kind: 'evicts', severity: 'fatal', text };
}

const REPLICA: RedisFault = {
  kind: 'replica',
  severity: 'fatal',
  text: 'role is not master: a replica takes no jobs; give the address of the master',
};

const CLUSTER: RedisFault = {
  kind: 'cluster',
  severity: 'fatal',
  text: 'cluster mode is on: workers may wedge there; a single Redis is needed',
};

function timerFault(hz: string | undefined): RedisFault | undefined {
  const perSecond = Number(hz);
  if (!(perSecond < HZ_MIN)) return undefined;
  const text = `hz is ${hz}: delayed jobs come up to ${Math.round(1_000 / perSecond)} ms late; 100 is better`;
  return { kind: 'slow-timer', severity: 'warning', text };
}

/** The address without its password. */
const shown = (url: string): string => url.replace(/\/\/[^@/]*@/, '//');
