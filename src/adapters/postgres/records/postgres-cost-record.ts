// The record of markets for cost reports in PostgreSQL, in the ledger's database, over connections of its own. Rows wait
// for a moment and are written together; the commit does not wait for the disk. While the database is away they wait in
// memory up to a bound, beyond which the oldest are lost, and said to be.
import { setTimeout as sleep } from 'node:timers/promises';
import type { LegMoment, MarketInstant, MarketSecond } from '../../../core/report/cost-rows.ts';
import type { SeenMarket } from '../../../core/report/seen-market.ts';
import {
  type InstantColumns,
  instantIn,
  type MomentColumns,
  momentIn,
  type SecondColumns,
  secondIn,
} from '../../../core/report/stored-market.ts';
import {
  type ArchivedReads,
  type DayArchive,
  EventsArchived,
} from '../../../ports/archive/archived-reads.ts';
import { type DayName, dayBounds, dayOf, submitDay } from '../../../ports/archive/submit-day.ts';
import type { CostRecord, CostRows, SecondsQuery } from '../../../ports/costs/cost-record.ts';
import { LedgerFailure } from '../../../ports/ledger.ts';
import { text } from '../../../values/amounts.ts';
import type { PortfolioId } from '../../../values/ids.ts';
import { earliest, later, latest } from '../../../values/instant.ts';
import { queryFault } from '../query-fault.ts';
import { ReadPool } from '../read-pool.ts';

/** The columns of a market, in the order of the tables. Amounts are exact, as `numeric`. */
const MARKET_TYPES = `bid numeric, bid_size numeric, ask numeric, ask_size numeric, last numeric, mark numeric,
  index numeric, underlying numeric, mark_iv float8, delta float8, gamma float8, vega float8, theta float8,
  funding_rate float8, age_ms int4`;

const MARKET_NAMES = MARKET_TYPES.replaceAll(/ (?:numeric|float8|int4)/g, '');

export interface CostRecordOptions {
  /** Address of a database whose schema is up to date. */
  readonly connectionString: string;
  /** Called once for each run of failures, and when rows are lost. */
  readonly onFault?: (error: unknown) => void;
  readonly statementTimeoutMs?: number;
  /** Where the markets of archived days are; absent: they cannot be read. */
  readonly archive?: Pick<ArchivedReads, 'seconds' | 'moments' | 'instants'> | undefined;
  readonly retryMs?: number;
  /** How long the first row waits for others to be written with, unless a whole batch is there. Default 500. */
  readonly gatherMs?: number;
  /** The number of rows of a kind that may wait. Default 100 000, about ten minutes of 150 instruments. */
  readonly waitingMax?: number;
}

const GATHER_MS = 500;
const RETRY_MS = 1_000;
/** To make the text of this many rows takes the thread that executes about a millisecond. */
const BATCH_MAX = 500;
const WAITING_MAX = 100_000;
const CLOSE_WITHIN_MS = 1_000;
/** One to write and one to read. */
const CONNECTIONS = 2;

/** A row that is there stays: another daemon's, or one whose answer was lost. */
const UNLESS_THERE = ' ON CONFLICT DO NOTHING';

/**
 * In the order of the key: daemons that store the same rows in different orders would wait for each other. Of rows with one
 * key the first is stored.
 */
const ADD_SECONDS = `
INSERT INTO market_second (venue, instrument, second, at, ${MARKET_NAMES}, volume)
SELECT venue, instrument, second, at, ${MARKET_NAMES}, volume
FROM ROWS FROM (
  json_to_recordset($1) AS (venue text, instrument text, second int8, at int8, ${MARKET_TYPES}, volume numeric)
) WITH ORDINALITY AS one
ORDER BY venue, instrument, second, ordinality`;

const ADD_INSTANTS = `
INSERT INTO market_instant (venue, instrument, at, bid, ask, counted_since, volume, value)
SELECT venue, instrument, at, bid, ask, counted_since, volume, value
FROM ROWS FROM (
  json_to_recordset($1) AS (venue text, instrument text, at int8, bid numeric, ask numeric,
    counted_since int8, volume numeric, value numeric)
) WITH ORDINALITY AS one
ORDER BY venue, instrument, at, ordinality`;

const ADD_MOMENTS = `
INSERT INTO leg_moment (portfolio, version, leg, at, ${MARKET_NAMES},
  expected_bps, expected_fee, expected_fee_currency)
SELECT portfolio, version, leg, at, ${MARKET_NAMES}, expected_bps, expected_fee, expected_fee_currency
FROM ROWS FROM (
  json_to_recordset($1) AS (portfolio int8, version int4, leg int4, at int8, ${MARKET_TYPES},
    expected_bps float8, expected_fee numeric, expected_fee_currency text)
) WITH ORDINALITY AS one
ORDER BY portfolio, version, leg, ordinality`;

/**
 * Only the owner of a portfolio records its moments, so hardly one is there already; a row that may be is confirmed by a
 * second record of the log once it is in the index.
 */
const MOMENT_STATEMENTS = [ADD_MOMENTS, ADD_MOMENTS + UNLESS_THERE];

const SECONDS = `
SELECT * FROM market_second WHERE venue = $1 AND instrument = $2 AND second BETWEEN $3 AND $4 ORDER BY second`;

const INSTANTS = `
SELECT * FROM market_instant WHERE venue = $1 AND instrument = $2 AND at BETWEEN $3 AND $4 ORDER BY at`;

const ARCHIVED = 'SELECT day, digest FROM archived_day WHERE day BETWEEN $1 AND $2 ORDER BY day';

const MOMENTS = 'SELECT * FROM leg_moment WHERE portfolio = $1 ORDER BY version, leg';

export class PostgresCostRecord implements CostRecord {
  readonly #pool: ReadPool;
  readonly #options: Required<
    Omit<CostRecordOptions, 'connectionString' | 'statementTimeoutMs' | 'archive'>
  >;
  readonly #archive: CostRecordOptions['archive'];
  readonly #seconds: MarketSecond[] = [];
  readonly #moments: LegMoment[] = [];
  readonly #instants: MarketInstant[] = [];
  #writing: Promise<void> | undefined;
  /** Aborted while a caller waits: rows are not gathered then. */
  #hurry = new AbortController();
  #isFailing = false;
  #isClosed = false;

  constructor({
    connectionString,
    statementTimeoutMs = 10_000,
    archive,
    ...options
  }: CostRecordOptions) {
    this.#archive = archive;
    this.#options = {
      onFault: () => undefined,
      retryMs: RETRY_MS,
      gatherMs: GATHER_MS,
      waitingMax: WAITING_MAX,
      ...options,
    };
    this.#pool = new ReadPool({
      connectionString,
      maxConnections: CONNECTIONS,
      statementTimeoutMs,
      connectTimeoutMs: 1_000,
      settings: '-c synchronous_commit=off',
      onFault: () => undefined,
    });
  }

  add({ seconds = [], moments = [], instants = [] }: CostRows): void {
    const { waitingMax, onFault } = this.#options;
    if (this.#isClosed) {
      const count = seconds.length + moments.length + instants.length;
      onFault(new Error(`${count} rows of markets are lost: the record is closed`));
      return;
    }
    this.#seconds.push(...seconds);
    this.#moments.push(...moments);
    this.#instants.push(...instants);
    const lost = [this.#seconds, this.#moments, this.#instants].reduce(
      (sum, rows) => sum + rows.splice(0, Math.max(0, rows.length - waitingMax)).length,
      0,
    );
    if (lost > 0)
      onFault(new Error(`${lost} rows of markets are lost: the database was away, or too slow`));
    if (this.#waiting > 0) this.#writing ??= this.#write();
  }

  async flush(): Promise<void> {
    this.#hurry.abort();
    await this.#writing;
    this.#hurry = new AbortController();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.race([this.flush(), sleep(CLOSE_WITHIN_MS, undefined, { ref: false })]);
    await this.#pool.close();
  }

  async seconds(query: SecondsQuery): Promise<readonly MarketSecond[]> {
    const rows = await this.#found<SecondColumns>(SECONDS, query);
    const seconds = new Map(rows.flatMap(secondIn).map((row) => [row.second, row]));
    for await (const [one, own] of this.#archivedSpans(query)) {
      const archived = await this.#archiveOf(one).seconds(one, own);
      for (const row of archived) seconds.set(row.second, row);
    }
    return [...seconds.values()].sort((a, b) => a.second - b.second);
  }

  async instants(query: SecondsQuery): Promise<readonly MarketInstant[]> {
    const rows = await this.#found<InstantColumns>(INSTANTS, query);
    const instants = new Map(rows.map(instantIn).map((row) => [row.at, row]));
    for await (const [one, own] of this.#archivedSpans(query)) {
      const archived = await this.#archiveOf(one).instants(one, own);
      for (const row of archived) instants.set(row.at, row);
    }
    return [...instants.values()].sort((a, b) => a.at - b.at);
  }

  async moments(portfolio: PortfolioId): Promise<readonly LegMoment[]> {
    const found = { text: MOMENTS, values: [portfolio] };
    const rows = await this.#pool.read<MomentColumns & Record<string, unknown>>(found);
    const moments = new Map(rows.map(momentIn).map((row) => [keyOf(row), row]));
    const day = submitDay(portfolio);
    for (const one of await this.#archivedDays(day, day)) {
      const archived = await this.#archiveOf(one).moments(one, portfolio);
      for (const row of archived) moments.set(keyOf(row), row);
    }
    return [...moments.values()].sort((a, b) => a.version - b.version || a.leg - b.leg);
  }

  #found<T>(text: string, { venue, instrument, from, to }: SecondsQuery): Promise<readonly T[]> {
    const values = [venue, instrument, from, to];
    return this.#pool.read<T & Record<string, unknown>>({ text, values });
  }

  /** The archived days of a query, each with its part. A day that is archived meanwhile is found in both places. */
  async *#archivedSpans(
    query: SecondsQuery,
  ): AsyncGenerator<readonly [of: DayArchive, own: SecondsQuery]> {
    const { from, to } = query;
    for (const one of await this.#archivedDays(dayOf(from), dayOf(to))) {
      const bounds = dayBounds(one.day);
      const span = { from: latest(from, bounds.from), to: earliest(to, later(bounds.to, -1)) };
      yield [one, { ...query, ...span }];
    }
  }

  /** Those from one day to the other that are archived. */
  async #archivedDays(from: DayName, to: DayName): Promise<readonly DayArchive[]> {
    const found = { name: 'archived days', text: ARCHIVED, values: [from, to] };
    return await this.#pool.read<{ day: DayName; digest: string }>(found);
  }

  /** @throws EventsArchived if there is no archive to read the day from. */
  #archiveOf({ day }: DayArchive): Pick<ArchivedReads, 'seconds' | 'moments' | 'instants'> {
    if (this.#archive !== undefined) return this.#archive;
    throw new EventsArchived(
      `the markets of ${day} are in its archive; ledger.archive names no folder to read them from, and ledger.archiveBucket no bucket`,
    );
  }

  get #waiting(): number {
    return this.#seconds.length + this.#moments.length + this.#instants.length;
  }

  get #hasBatch(): boolean {
    const most = Math.max(this.#seconds.length, this.#moments.length, this.#instants.length);
    return most >= BATCH_MAX;
  }

  /** Ends when nothing waits, or when a caller does and the database is away. */
  async #write(): Promise<void> {
    while (this.#waiting > 0) {
      if (!this.#hasBatch) await this.#pause(this.#options.gatherMs);
      const isWritten =
        (await this.#insert([ADD_SECONDS + UNLESS_THERE], this.#seconds, secondJson)) &&
        (await this.#insert(MOMENT_STATEMENTS, this.#moments, momentJson)) &&
        (await this.#insert([ADD_INSTANTS + UNLESS_THERE], this.#instants, instantJson));
      if (isWritten) continue;
      if (this.#hurry.signal.aborted) break;
      await this.#pause(this.#options.retryMs);
    }
    this.#writing = undefined;
  }

  /** Ends early for a caller that waits. */
  async #pause(forMs: number): Promise<void> {
    const { signal } = this.#hurry;
    // Unexamined: it rejects only when the signal is given, which ends the pause.
    await sleep(forMs, undefined, { ref: false, signal }).catch(() => undefined);
  }

  /** Each statement is for what the one before it finds there already. False if the rows are waiting again. */
  async #insert<T>(
    statements: readonly string[],
    rows: T[],
    jsonOf: (row: T) => string,
  ): Promise<boolean> {
    const batch = rows.splice(0, BATCH_MAX);
    if (batch.length === 0) return true;
    const values = [`[${batch.map(jsonOf).join(',')}]`];
    try {
      await this.#writeUnless(statements, values);
      this.#isFailing = false;
      return true;
    } catch (error) {
      const isRefused = error instanceof LedgerFailure && queryFault(error.cause) === 'refused';
      if (isRefused || !this.#isFailing) this.#options.onFault(error);
      // What the server never accepts must not hold up the others.
      if (isRefused) return true;
      this.#isFailing = true;
      rows.unshift(...batch);
      return false;
    }
  }

  async #writeUnless(
    [text = '', ...others]: readonly string[],
    values: readonly unknown[],
  ): Promise<void> {
    try {
      await this.#pool.write({ text, values });
    } catch (error) {
      const isThere = error instanceof LedgerFailure && queryFault(error.cause) === 'raced';
      if (!isThere || others.length === 0) throw error;
      await this.#writeUnless(others, values);
    }
  }
}

const keyOf = ({ version, leg }: LegMoment): string => `${version} ${leg}`;

const secondJson = ({ venue, instrument, second, at, market, volume }: MarketSecond): string => {
  const traded = volume === undefined ? '' : `"volume":${text(volume)},`;
  const names = `"venue":${JSON.stringify(venue)},"instrument":${JSON.stringify(instrument)}`;
  return `{${marketJson(market)}${traded}${names},"second":${second},"at":${at}}`;
};

const instantJson = ({ venue, instrument, at, bid, ask, count }: MarketInstant): string => {
  let json = `{"venue":${JSON.stringify(venue)},"instrument":${JSON.stringify(instrument)},"at":${at}`;
  if (bid !== undefined) json += `,"bid":${text(bid)}`;
  if (ask !== undefined) json += `,"ask":${text(ask)}`;
  if (count === undefined) return `${json}}`;
  const { since, volume, value } = count;
  return `${json},"counted_since":${since},"volume":${text(volume)},"value":${text(value)}}`;
};

const momentJson = ({ portfolio, version, leg, at, market, expected }: LegMoment): string =>
  `{${marketJson(market)}${expectedJson(expected)}"portfolio":${portfolio},"version":${version},"leg":${leg},"at":${at}}`;

const expectedJson = (expected: LegMoment['expected']): string =>
  expected === undefined
    ? ''
    : `"expected_bps":${numberJson(expected.bps ?? Number.NaN)},"expected_fee":${text(expected.fee)},"expected_fee_currency":${JSON.stringify(expected.feeCurrency)},`;

/**
 * The fields of a JSON object, each with a comma after it; unknown ones are left out. Concatenated directly: rows of every slice
 * are, and neither amounts nor numbers need quotes.
 */
function marketJson(market: SeenMarket | undefined): string {
  if (market === undefined) return '';
  const { bid, ask, last, mark, index, underlying, markIv, greeks, fundingRate, ageMs } = market;
  let json = `"age_ms":${Math.round(ageMs)},`;
  if (bid !== undefined) json += `"bid":${text(bid.price)},"bid_size":${text(bid.quantity)},`;
  if (ask !== undefined) json += `"ask":${text(ask.price)},"ask_size":${text(ask.quantity)},`;
  if (last !== undefined) json += `"last":${text(last)},`;
  if (mark !== undefined) json += `"mark":${text(mark)},`;
  if (index !== undefined) json += `"index":${text(index)},`;
  if (underlying !== undefined) json += `"underlying":${text(underlying)},`;
  if (markIv !== undefined) json += `"mark_iv":${numberJson(markIv)},`;
  if (fundingRate !== undefined) json += `"funding_rate":${numberJson(fundingRate)},`;
  if (greeks === undefined) return json;
  const { delta, gamma, vega, theta } = greeks;
  if (delta !== undefined) json += `"delta":${numberJson(delta)},`;
  if (gamma !== undefined) json += `"gamma":${numberJson(gamma)},`;
  if (vega !== undefined) json += `"vega":${numberJson(vega)},`;
  if (theta !== undefined) json += `"theta":${numberJson(theta)},`;
  return json;
}

/** What is not finite is unknown. */
const numberJson = (value: number): string => (Number.isFinite(value) ? `${value}` : 'null');
