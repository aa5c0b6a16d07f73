// The real command over a real ledger; the hash chain of its output is recomputed here from its documented
// definition.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgresLedger } from '../../../src/adapters/postgres/postgres-ledger.ts';
import { PostgresAuditSeals } from '../../../src/adapters/postgres/records/postgres-audit-seals.ts';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import { type ExportQuery, exportLedger } from '../../../src/main/ledger/export-ledger.ts';
import { must } from '../../../src/values/assert.ts';
import { type PortfolioId, portfolioId } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import { lives } from '../../support/daemon/lives.ts';
import { addressOf, createDatabase, type TestDatabase } from '../../support/daemon/services.ts';
import { eventChanged } from '../../support/daemon/tampered-events.ts';
import { inOrder } from '../../support/in-order.ts';
import { type Ran, twapd } from '../cli-world.ts';
import { UNSAFE_TEXT } from '../expect-harmless.ts';
import { HOSTILE } from '../hostile-daemon.ts';
import { warmCli } from '../warm-cli.ts';

inOrder();

interface Line {
  readonly portfolio: string;
  readonly version: number;
  readonly at: string;
  readonly hash: string;
  readonly event: PortfolioEvent;
}

const withHostileNote = (event: PortfolioEvent): PortfolioEvent =>
  event.kind === 'submitted' ? { ...event, spec: { ...event.spec, note: HOSTILE } } : event;

let database: TestDatabase;
/** By portfolio, in the order of ids. */
const stored = new Map<string, PortfolioEvent[]>();
beforeAll(async () => {
  database = await createDatabase();
  const ledger = await openPostgresLedger({ connectionString: database.connectionString });
  for (const { turn } of await lives()) {
    // The events of one portfolio carry text that controls terminals, as a note of a client may.
    const isHostile = stored.size > 0 && turn.portfolio !== [...stored.keys()][0];
    const events = isHostile ? turn.events.map(withHostileNote) : turn.events;
    await ledger.commit([{ ...turn, events }]);
    stored.set(turn.portfolio, [...(stored.get(turn.portfolio) ?? []), ...events]);
  }
  await ledger.close();
});
afterAll(() => database.drop());

const inLedger = () => ({ env: { DATABASE_URL: addressOf(database) } });
/** In a process of its own, whose standard output the events are. */
const exported = (...words: string[]): Promise<Ran> => twapd(['export', ...words], inLedger());
const refused = (...words: string[]): Promise<Ran> => warmCli.run(['export', ...words], inLedger());
const linesIn = (text: string): string[] => text.split('\n').slice(0, -1);
const read = (text: string): Line[] => linesIn(text).map((line) => JSON.parse(line) as Line);

/** Without the command line. */
async function gathered(
  query: ExportQuery,
  onBroken: (portfolio: PortfolioId) => void = () => undefined,
): Promise<Line[]> {
  let text = '';
  for await (const line of exportLedger(database.connectionString, query, onBroken)) text += line;
  return read(text);
}

const firstStored = (): PortfolioId => portfolioId(must([...stored.keys()][0], 'there is one'));

/** Decodes the escapes in the text, except those that JSON requires. */
const unescaped = (text: string): string =>
  text.replace(/(?:\\u[\da-f]{4})+|\\./g, (escaped) =>
    escaped.startsWith('\\u') ? JSON.stringify(JSON.parse(`"${escaped}"`)).slice(1, -1) : escaped,
  );

/** SHA-256 over the previous hash, a line feed and the event's text in its line, as documented. */
function chainOf(lines: readonly string[]): string[] {
  let hash = '';
  return lines.map((line) => {
    const event = unescaped(line.slice(line.indexOf('"event":') + '"event":'.length, -1));
    hash = createHash('sha256').update(`${hash}\n${event}`).digest('hex');
    return hash;
  });
}

test('export writes every event in its position, with a hash chain that can be recomputed from the text', async () => {
  const { code, out, err } = await exported();
  const lines = read(out);
  expect(code).toBe(0);
  expect(err).toBe(`${lines.length} events written\n`);
  for (const [portfolio, events] of stored) {
    const own = lines.filter((line) => line.portfolio === portfolio);
    expect(own.map(({ event }) => event)).toEqual(JSON.parse(JSON.stringify(events)));
    expect(own.map(({ version }) => version)).toEqual(events.map((_, index) => index + 1));
    expect(own.map(({ at }) => Date.parse(at))).toEqual(events.map(({ at }) => at));
    const texts = linesIn(out).filter((line) => line.includes(`"portfolio":"${portfolio}","ver`));
    expect(own.map(({ hash }) => hash)).toEqual(chainOf(texts));
  }
  expect(lines).toHaveLength([...stored.values()].flat().length);
});

test('export escapes control, bidirectional and invisible characters on a terminal and in a file', async () => {
  const { out } = await exported();
  expect(out).toContain('EVIL\\u001b[2J');
  expect(UNSAFE_TEXT.exec(out)?.[0]).toBeUndefined();
  const notes = read(out).map(({ event }) => event.kind === 'submitted' && event.spec.note);
  expect(notes).toContain(HOSTILE);
});

test('export filters by portfolio and time, and the hashes stay those of the full chain', async () => {
  const whole = await gathered({});
  const [portfolio, events] = must([...stored][1], 'there are two');
  const own = whole.filter((line) => line.portfolio === portfolio);
  const of = portfolioId(portfolio);
  const at = instant(must(events[Math.floor(events.length / 2)], 'it has events').at);
  expect(await gathered({ portfolio: of })).toEqual(own);
  expect(await gathered({ portfolio: of, from: at })).toEqual(
    own.filter(({ event }) => event.at >= at),
  );
  expect(await gathered({ until: at })).toEqual(whole.filter(({ event }) => event.at < at));
  expect(await gathered({ portfolio: portfolioId('1') })).toEqual([]);
});

test('export -o creates a file readable only by its owner, and never overwrites one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'twapd-export-'));
  const path = join(folder, 'events.jsonl');
  const words = ['-o', path, '-p', must([...stored.keys()][0], 'there is one'), '--since'];
  expect((await exported(...words, '2020-01-01T00:00:00Z')).code).toBe(0);
  expect(read(readFileSync(path, 'utf8'))).toEqual(await gathered({ portfolio: firstStored() }));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const again = await refused('-o', path);
  expect([again.code, again.err.includes('a file that does not exist')]).toEqual([1, true]);
  rmSync(folder, { recursive: true });
});

test('a relative file of export is written where the user stands when npm starts the command', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'twapd-export-'));
  const env = { DATABASE_URL: addressOf(database), INIT_CWD: folder };
  const words = ['export', '-o', 'events.jsonl', '-p', firstStored()];
  expect((await twapd(words, { env })).code).toBe(0);
  const written = read(readFileSync(join(folder, 'events.jsonl'), 'utf8'));
  expect(written).toEqual(await gathered({ portfolio: firstStored() }));
  rmSync(folder, { recursive: true });
});

test('export reports events that differ from the sealed ones, and writes them as they are', async () => {
  const { connectionString } = database;
  const portfolio = firstStored();
  const { version, hash } = must((await gathered({ portfolio })).at(-1), 'it has events');
  const seals = new PostgresAuditSeals({ connectionString });
  await seals.put(portfolio, { from: undefined, to: { version, hash } });
  await seals.close();
  const broken: string[] = [];
  await gathered({}, (id) => broken.push(id));
  expect(broken).toEqual([]);
  const client = new Client({ connectionString });
  await client.connect();
  await client.query(eventChanged(portfolio, { version: 1, field: 'note', value: '"another"' }));
  await client.end();
  const { code, out, err } = await exported();
  expect(code).toBe(1);
  expect(err).toContain(`other events than were sealed in 1 of the portfolios: ${portfolio}`);
  expect(read(out)[0]?.event).toMatchObject({ note: 'another' });
});

test('export --portfolio with text that is not a number is rejected as wrong usage', async () => {
  const { code, err } = await refused('--portfolio', 'mine');
  expect([code, err.includes('accepted: the number of a portfolio')]).toEqual([2, true]);
});
