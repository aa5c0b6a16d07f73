// The outbox of notices in PostgreSQL, in the ledger's database.
import type { WaitingNotice } from '../../../core/notify/due-notices.ts';
import type { Happening } from '../../../core/notify/happening.ts';
import type {
  ChannelBacklog,
  NewHappenings,
  NoticeOutbox,
} from '../../../ports/notify/notice-outbox.ts';
import { type Instant, instant } from '../../../values/instant.ts';
import { ReadPool } from '../read-pool.ts';

const LEAD = `
INSERT INTO notice_lead AS held (member, until)
VALUES ($1, clock_timestamp() + $2::double precision * interval '1 millisecond')
ON CONFLICT (single) DO UPDATE SET member = excluded.member, until = excluded.until
WHERE held.member = excluded.member OR held.until <= clock_timestamp()
RETURNING member`;

/**
 * The happenings of one key are judged in their order, each by the one kept before it. Two that add the same at once draw the
 * same episode, and one of them is left out.
 */
const ADD = `
WITH RECURSIVE given AS MATERIALIZED (
  SELECT *, row_number() OVER (PARTITION BY key ORDER BY place) AS turn
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[])
    WITH ORDINALITY AS g (key, at, again_after, body, channels, place)
), judged (key, turn, is_new, episode, kept_at) AS (
  SELECT given.key, turn, is_new, coalesce(past.episode, 0) + is_new::int,
    CASE WHEN is_new THEN given.at ELSE past.at END
  FROM given LEFT JOIN LATERAL (
    SELECT episode, at FROM happening WHERE happening.key = given.key ORDER BY episode DESC LIMIT 1
  ) AS past ON true, LATERAL (
    SELECT past.episode IS NULL OR coalesce(past.at <= given.at - again_after, false) AS is_new
  ) AS judgement
  WHERE turn = 1
  UNION ALL
  SELECT given.key, given.turn, judgement.is_new, before.episode + judgement.is_new::int,
    CASE WHEN judgement.is_new THEN given.at ELSE before.kept_at END
  FROM judged AS before JOIN given ON given.key = before.key AND given.turn = before.turn + 1, LATERAL (
    SELECT coalesce(before.kept_at <= given.at - again_after, false) AS is_new
  ) AS judgement
), added AS (
  INSERT INTO happening (key, episode, at, body)
  SELECT key, episode, at, body::json FROM judged JOIN given USING (key, turn) WHERE is_new
  ORDER BY place
  ON CONFLICT DO NOTHING
  RETURNING number, key, episode
), addressed AS (
  INSERT INTO notice (channel, happening)
  SELECT DISTINCT channel, added.number
  FROM added JOIN judged USING (key, episode) JOIN given USING (key, turn),
    json_array_elements_text(given.channels::json) AS channel
  WHERE is_new
  ON CONFLICT DO NOTHING
), read AS (
  INSERT INTO notice_cursor (source, position) SELECT $6::text, $7::text WHERE $6 IS NOT NULL
  ON CONFLICT (source) DO UPDATE SET position = excluded.position
)
SELECT count(*)::int4 AS count FROM added`;

const WAITING = `
SELECT number, at, body FROM notice JOIN happening ON number = happening
WHERE channel = $1 AND outcome IS NULL ORDER BY happening LIMIT $2`;

const SETTLE = `
UPDATE notice SET outcome = $3 WHERE channel = $1 AND happening = ANY ($2::bigint[]) AND outcome IS NULL`;

const BACKLOG = `
SELECT channel,
  count(*) FILTER (WHERE outcome IS NULL)::int4 AS waiting,
  count(*) FILTER (WHERE outcome = 'sent')::int4 AS sent,
  count(*) FILTER (WHERE outcome = 'dropped')::int4 AS dropped,
  min(at) FILTER (WHERE outcome IS NULL) AS oldest
FROM notice JOIN happening ON number = happening GROUP BY channel ORDER BY channel COLLATE "C"`;

const FORGET = `
DELETE FROM happening WHERE at < $1
AND NOT EXISTS (SELECT FROM notice WHERE happening = number AND outcome IS NULL)`;

export interface NoticeOutboxOptions {
  /** Address of a database whose schema is up to date. */
  readonly connectionString: string;
  /** Called for faults that are handled. */
  readonly onFault?: (error: unknown) => void;
}

interface WaitingColumns extends Record<string, unknown> {
  readonly number: string;
  readonly at: string;
  readonly body: Omit<Happening, 'at'>;
}

interface BacklogColumns extends Record<string, unknown> {
  readonly channel: string;
  readonly waiting: number;
  readonly sent: number;
  readonly dropped: number;
  readonly oldest: string | null;
}

export class PostgresNoticeOutbox implements NoticeOutbox {
  readonly #pool: ReadPool;

  constructor({ connectionString, onFault = () => undefined }: NoticeOutboxOptions) {
    this.#pool = new ReadPool({
      connectionString,
      maxConnections: 2,
      onFault,
      statementTimeoutMs: 5_000,
      connectTimeoutMs: 2_000,
    });
  }

  async lead(member: string, forMs: number): Promise<boolean> {
    const rows = await this.#pool.write({ name: 'lead', text: LEAD, values: [member, forMs] });
    return rows.length > 0;
  }

  async leave(member: string): Promise<void> {
    const text = 'DELETE FROM notice_lead WHERE member = $1';
    await this.#pool.write({ text, values: [member] });
  }

  async cursor(source: string): Promise<string | undefined> {
    const text = 'SELECT position FROM notice_cursor WHERE source = $1';
    const statement = { name: 'notice cursor', text, values: [source] };
    const [row] = await this.#pool.read<{ position: string }>(statement);
    return row?.position;
  }

  async add({ happenings, cursor }: NewHappenings): Promise<number> {
    const values = [
      happenings.map(({ happening }) => happening.key),
      happenings.map(({ happening }) => happening.at),
      happenings.map(({ happening }) => happening.againAfterMs ?? null),
      happenings.map(({ happening: { at: _at, ...body } }) => JSON.stringify(body)),
      happenings.map(({ channels }) => JSON.stringify(channels)),
      cursor?.source ?? null,
      cursor?.position ?? null,
    ];
    const statement = { name: 'add happenings', text: ADD, values };
    const [row] = await this.#pool.write<{ count: number }>(statement);
    return row?.count ?? 0;
  }

  async waiting(channel: string, limit: number): Promise<readonly WaitingNotice[]> {
    const values = [channel, limit];
    const statement = { name: 'waiting notices', text: WAITING, values };
    const rows = await this.#pool.read<WaitingColumns>(statement);
    return rows.map(({ number, at, body }) => ({
      number: Number(number),
      happening: { ...body, at: instant(Number(at)) },
    }));
  }

  async settle(channel: string, numbers: readonly number[], as: 'sent' | 'dropped'): Promise<void> {
    await this.#pool.write({ text: SETTLE, values: [channel, numbers, as] });
  }

  async backlog(): Promise<readonly ChannelBacklog[]> {
    const rows = await this.#pool.read<BacklogColumns>({ text: BACKLOG });
    return rows.map(({ oldest, ...counts }) => ({
      ...counts,
      ...(oldest !== null && { oldestAt: instant(Number(oldest)) }),
    }));
  }

  async forget(before: Instant): Promise<void> {
    await this.#pool.write({ text: FORGET, values: [before] });
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
