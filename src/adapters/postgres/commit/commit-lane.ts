// A connection that only commits. If a reply is lost the same group is written again: the version check
// admits it only if it is not there yet, and the batch number on its turns distinguishes its own earlier
// write from another process's.
import { randomInt } from 'node:crypto';
import type { Client } from 'pg';
import { type CommitOutcome, LedgerFailure, type Turn } from '../../../ports/ledger.ts';
import { portfolioId } from '../../../values/ids.ts';
import { faultText, isThereAlready, queryFault } from '../query-fault.ts';
import { BinaryArrays } from './binary-array.ts';
import { CommitConnection, type CommitConnectionOptions } from './commit-connection.ts';
import {
  type Batch,
  type Call,
  COMMIT,
  COMMIT_AGAIN,
  commitParameters,
  type Wrong,
} from './commit-statement.ts';
import type { Settled } from './group-commit.ts';

const MAX_RACES = 20;
const MAX_PAUSE_MS = 250;

const WRITTEN = `SELECT t.portfolio AS id FROM unnest($1::int8[], $2::int4[]) AS sent (portfolio, version)
JOIN turn t USING (portfolio, version) WHERE t.batch = $3`;

export interface CommitLaneOptions extends CommitConnectionOptions {
  /** How long to retry while the database is unreachable. */
  readonly patienceMs: number;
  /** The text under which the events of a turn are stored. */
  readonly eventsText: Batch['eventsText'];
}

/** A group as it is sent, on every attempt. */
interface Group {
  readonly calls: readonly Call[];
  readonly batch: number;
  readonly parameters: readonly unknown[];
  /** A reply was lost: it may have been committed. */
  maybe: boolean;
  /** It was rolled back because of what another transaction wrote. */
  isRaced: boolean;
}

export class CommitLane {
  readonly #options: CommitLaneOptions;
  readonly #connection: CommitConnection;
  /** One group at a time is in flight. */
  readonly #arena = new Arena();
  readonly #arrays = new BinaryArrays(this.#arena.take);
  /** The last group was given up: until the database is back the next ones get one attempt each. */
  #away = false;

  constructor(options: CommitLaneOptions) {
    this.#options = options;
    this.#connection = new CommitConnection(options);
  }

  /** Returns one outcome per call, in order. Never rejects. */
  async write(calls: readonly Call[]): Promise<readonly Settled[]> {
    const written = await this.#writeTogether(calls);
    if (!(written instanceof Refused)) return written;
    if (calls.length === 1) return [written.failure];
    // Something in one of the calls cannot be stored; the others are written without it.
    const answers: Settled[] = [];
    for (const call of calls) answers.push(...(await this.write([call])));
    return answers;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #writeTogether(calls: readonly Call[]): Promise<readonly Settled[] | Refused> {
    const batch = randomInt(2 ** 48 - 1);
    let parameters: readonly unknown[];
    try {
      this.#arena.reset();
      const { eventsText } = this.#options;
      parameters = commitParameters(calls, { number: batch, arrays: this.#arrays, eventsText });
    } catch (error) {
      // The turns are refused with it as the cause; it is ours, whatever it is.
      this.#options.onFault(error);
      return new Refused(new LedgerFailure(faultText(error), false, error));
    }
    return await this.#attempts({ calls, batch, parameters, maybe: false, isRaced: false });
  }

  async #attempts(group: Group): Promise<readonly Settled[] | Refused> {
    const giveUpAt = performance.now() + (this.#away ? 0 : this.#options.patienceMs);
    for (let races = 0, losses = 0; ; ) {
      try {
        return await this.#attempt(group);
      } catch (error) {
        const fault = queryFault(error);
        // The repeated statement leaves out fills that are there.
        if (group.isRaced || !isThereAlready(error)) this.#options.onFault(error);
        if (fault === 'refused') return new Refused(failure(group, error));
        // The server's complaint may be about the session: the next group gets a new one.
        if (fault !== 'raced') this.#connection.drop();
        if (fault === 'failed') return failures(group, error);
        if (fault === 'lost') {
          if (performance.now() >= giveUpAt) {
            this.#away = true;
            return failures(group, error);
          }
          losses += 1;
          await pause(Math.min(MAX_PAUSE_MS, 5 * 2 ** losses));
        } else {
          if (races === MAX_RACES) return failures(group, error);
          races += 1;
          group.isRaced = true;
          await pause(randomInt(1 + races));
        }
      }
    }
  }

  async #attempt(group: Group): Promise<readonly CommitOutcome[]> {
    const client = await this.#connection.client();
    this.#away = false;
    const before = group.maybe;
    // Until there is a reply it may have been committed.
    group.maybe = true;
    const wrongs = await send(client, group, before);
    const ours = before && wrongs.length > 0 ? await writtenBefore(client, group) : NONE;
    return group.calls.map((call, index) =>
      outcome(
        call,
        wrongs.filter((wrong) => wrong.call === index),
        ours,
      ),
    );
  }
}

async function send(client: Client, group: Group, before: boolean): Promise<readonly Wrong[]> {
  try {
    const values = [...group.parameters];
    return (await client.query<Wrong>({ ...(group.isRaced ? COMMIT_AGAIN : COMMIT), values })).rows;
  } catch (error) {
    // The server itself reports that it rolled back.
    if (queryFault(error) !== 'lost') group.maybe = before;
    throw error;
  }
}

/** The transaction was rolled back because of the contents of one of its calls. */
class Refused {
  readonly failure: LedgerFailure;
  constructor(failure: LedgerFailure) {
    this.failure = failure;
  }
}

const NONE: ReadonlySet<string> = new Set();

const failure = (group: Group, error: unknown): LedgerFailure =>
  new LedgerFailure(`the ledger cannot commit: ${faultText(error)}`, group.maybe, error);

const failures = (group: Group, error: unknown): readonly LedgerFailure[] =>
  group.calls.map(() => failure(group, error));

const pause = (delayMs: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, delayMs));

function outcome(call: Call, wrongs: readonly Wrong[], ours: ReadonlySet<string>): CommitOutcome {
  if (wrongs.length === 0 || call.some((turn) => ours.has(turn.portfolio))) {
    return { kind: 'committed' };
  }
  const keyUsed = wrongs.filter((wrong) => wrong.holder !== null);
  const holder = firstOf(call, keyUsed)?.holder;
  if (holder != null) return { kind: 'duplicate_key', portfolio: portfolioId(holder) };
  const lease = call.find((turn) =>
    wrongs.some(({ id, shard }) => id === turn.portfolio && shard !== null),
  )?.lease;
  if (lease !== undefined) return { kind: 'lease_lost', lease };
  return { kind: 'conflict', portfolio: portfolioId(firstOf(call, wrongs)?.id ?? '') };
}

/** The entry whose turn comes first in the call. */
const firstOf = (call: Call, wrongs: readonly Wrong[]): Wrong | undefined =>
  call
    .map(({ portfolio }) => wrongs.find(({ id }) => id === portfolio))
    .find((wrong) => wrong !== undefined);

/** Portfolios whose turn we have already written: an attempt whose reply was lost. */
async function writtenBefore(client: Client, group: Group): Promise<ReadonlySet<string>> {
  const turns: Turn[] = group.calls.flat().filter(({ events }) => events.length > 0);
  const { rows } = await client.query<{ id: string }>(WRITTEN, [
    turns.map(({ portfolio }) => portfolio),
    turns.map(({ fromVersion, events }) => fromVersion + events.length),
    group.batch,
  ]);
  return new Set(rows.map(({ id }) => id));
}

const PIECE_BYTES = 64 * 1_024;

/**
 * Reusable memory for the parameters of one statement at a time: allocations are valid until the next reset.
 * Fresh memory for every group would pile up outside the heap, and every 64 MB of it would cost a full
 * collection.
 */
class Arena {
  #piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  #used = 0;

  /** Everything allocated so far may be overwritten from now on. */
  reset(): void {
    this.#used = 0;
  }

  readonly take = (bytes: number): Buffer => {
    if (this.#used + bytes > this.#piece.length) this.#renew(bytes);
    const from = this.#used;
    this.#used += bytes;
    return this.#piece.subarray(from, this.#used);
  };

  /** Earlier allocations keep the full piece alive. */
  #renew(bytes: number): void {
    this.#piece = Buffer.allocUnsafeSlow(Math.max(bytes, 2 * this.#piece.length));
    this.#used = 0;
  }
}
