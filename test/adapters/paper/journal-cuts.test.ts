// A journal that ends anywhere: disks fill up and power is cut in the middle of a write. Expected is the state that
// the exchange itself had before or after the command that was cut.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextLoop } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { JournalFile } from '../../../src/adapters/paper/journal/journal-file.ts';
import {
  commandLine,
  type JournalContent,
  JournalDamaged,
  readJournal,
  sealed,
} from '../../../src/adapters/paper/journal/journal-text.ts';
import { PaperJournal } from '../../../src/adapters/paper/journal/paper-journal.ts';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { AccountEvent, ExchangeEvent } from '../../../src/exchange/exchange-event.ts';
import { journalRecord } from '../../../src/exchange/journal/plain.ts';
import { must } from '../../../src/values/assert.ts';
import { options, START } from '../../exchange/exchange-desk.ts';
import { btcPerpetual, btcSpot } from '../../exchange/instruments.ts';
import { RandomDay } from '../../exchange/random-day.ts';
import { WaitingDay } from '../../exchange/waiting-day.ts';
import { FullDisk } from '../../support/full-disk.ts';

const MARKETS = [btcPerpetual, btcSpot];
const isAccountEvent = (event: ExchangeEvent): event is AccountEvent => event.kind !== 'print';

interface Day {
  next(): Parameters<Exchange['handle']>[0];
  sawOrder(order: never): void;
}

/** The events of each command of a day that changed an account, and the state after it. */
interface Done {
  readonly events: readonly AccountEvent[];
  readonly hash: string;
}

function dayOf(exchange: Exchange, day: Day, commands: number): readonly Done[] {
  const done: Done[] = [];
  while (done.length < commands) {
    const answer = exchange.handle(day.next());
    if (answer.kind === 'order') day.sawOrder(answer.order as never);
    const events = exchange.drainEvents().filter(isAccountEvent);
    if (events.length > 0) done.push({ events, hash: exchange.stateHash() });
  }
  return done;
}

/** A day's first commands, up to the second that traded. */
function untilTraded(exchange: Exchange, day: Day): readonly Done[] {
  const done: Done[] = [];
  const hasTraded = ({ events }: Done): boolean => events.some(({ kind }) => kind === 'trade');
  while (done.filter(hasTraded).length < 2) done.push(...dayOf(exchange, day, 1));
  return done;
}

/** A day in which trades of several accounts, linked orders and triggers come up. */
function waitingDay(seed: string, exchange: Exchange): WaitingDay {
  const day = new WaitingDay(seed);
  for (const command of day.revival()) exchange.handle(command);
  exchange.drainEvents();
  return day;
}

const head = (exchange: Exchange): string =>
  `${JSON.stringify({ kind: 'snapshot', bornAt: START, savedAt: START, snapshot: exchange.snapshot() })}\n`;

/** What a start reads in these bytes. */
const readIn = (bytes: Buffer): JournalContent =>
  must(readJournal([{ segment: undefined, text: bytes.toString('utf8') }]), 'a journal');

/** The state that a start makes of it. */
function stateOf({ head: { snapshot }, unmarked, commands }: JournalContent): string {
  const exchange = Exchange.restore(snapshot, options(MARKETS));
  exchange.applyUnmarkedJournal(unmarked);
  for (const command of commands) exchange.applyJournal(command);
  return exchange.stateHash();
}

const found = (bytes: Buffer): string => stateOf(readIn(bytes));

describe('a journal cut at any byte', () => {
  it('a journal cut at any byte gives the state before or after the command that was cut', () => {
    const exchange = new Exchange(options(MARKETS));
    const [base, before] = [Buffer.from(head(exchange)), exchange.stateHash()];
    const done = untilTraded(exchange, new RandomDay('cuts'));
    const lines = done.map(({ events }) => sealed(commandLine(events)));
    const whole = Buffer.concat([base, ...lines]);
    let [state, end] = [before, base.length];
    const ends = lines.map((line, at) => {
      end += line.length;
      return { end, hash: must(done[at], 'a command').hash };
    });
    // A state is built once for each number of commands that is read.
    const states = new Map<number, string>();
    for (let cut = base.length; cut <= whole.length; cut += 1) {
      while (ends[0] !== undefined && ends[0].end <= cut) state = must(ends.shift(), 'an end').hash;
      const content = readIn(whole.subarray(0, cut));
      const { length } = content.commands;
      const seen = states.get(length) ?? stateOf(content);
      states.set(length, seen);
      if (seen !== state) expect(seen, `cut after ${cut} bytes`).toBe(state);
    }
    expect(states.size).toBe(done.length + 1);
    expect(state).toBe(exchange.stateHash());
  });

  it('a hole that a power cut left ends the journal before the command with the hole', () => {
    const exchange = new Exchange(options(MARKETS));
    const base = Buffer.from(head(exchange));
    const done = dayOf(exchange, waitingDay('holes', exchange), 12);
    const lines = done.map(({ events }) => sealed(commandLine(events)));
    const whole = Buffer.concat([base, ...lines]);
    let from = base.length;
    for (const [at, line] of lines.entries()) {
      const expected = at === 0 ? found(base) : must(done[at - 1], 'a command').hash;
      for (const length of [1, line.length, line.length + 30]) {
        const bytes = Buffer.from(whole);
        bytes.fill(0, from + 3, Math.min(from + 3 + length, bytes.length));
        expect(found(bytes)).toBe(expected);
      }
      from += line.length;
    }
  });

  it('a changed byte in the middle is damage, and never another state', () => {
    const exchange = new Exchange(options(MARKETS));
    const base = Buffer.from(head(exchange));
    const done = dayOf(exchange, waitingDay('flips', exchange), 5);
    const lines = done.map(({ events }) => sealed(commandLine(events)));
    const whole = Buffer.concat([base, ...lines]);
    const last = whole.length - must(lines.at(-1), 'a line').length;
    for (let at = base.length; at < last; at += 13) {
      const bytes = Buffer.from(whole);
      bytes.writeUInt8(bytes.readUInt8(at) === 0x31 ? 0x32 : 0x31, at);
      expect(() => found(bytes), `byte ${at}`).toThrow(JournalDamaged);
    }
  });
});

describe('a journal of an earlier version, with a line for each event', () => {
  const unmarked = (events: readonly AccountEvent[]): string =>
    events.map((event) => `${JSON.stringify(journalRecord(event))}\n`).join('');

  it.each(['perpetual and others', 'waiting orders'])(
    'an old journal is read whole, and without the trades of a command that was cut: %s',
    (kind) => {
      const exchange = new Exchange(options(MARKETS));
      const day = kind === 'waiting orders' ? waitingDay('old', exchange) : new RandomDay('old');
      const base = head(exchange);
      let [text, before] = [base, exchange.stateHash()];
      let trading = 0;
      for (const { events, hash } of dayOf(exchange, day, 60)) {
        if (events.some((event) => event.kind === 'trade')) {
          trading += 1;
          for (let kept = 1; kept < events.length; kept += 1) {
            const cut = text + unmarked(events.slice(0, kept));
            expect(found(Buffer.from(cut))).toBe(before);
          }
          // Cut within the last line.
          expect(found(Buffer.from(text + unmarked(events).slice(0, -9)))).toBe(before);
        }
        text += unmarked(events);
        before = hash;
      }
      expect(trading).toBeGreaterThan(3);
      expect(found(Buffer.from(text))).toBe(exchange.stateHash());
    },
  );
});

describe('a trade without its order', () => {
  it('a trade without its order is refused, and nothing of its command is applied', () => {
    const exchange = new Exchange(options(MARKETS));
    const snapshot = exchange.snapshot();
    const trading = must(
      untilTraded(exchange, new RandomDay('orphan')).find(({ events }) =>
        events.some(({ kind }) => kind === 'trade'),
      ),
      'a command that trades',
    );
    const orphans = trading.events.filter(({ kind }) => kind !== 'order_changed');
    const restored = Exchange.restore(snapshot, options(MARKETS));
    const before = restored.stateHash();
    expect(() => restored.applyJournal(orphans.map(journalRecord))).toThrow(/without its order/);
    expect(restored.stateHash()).toBe(before);
  });
});

/** Runs a day on a disk that is full from a write on; the state and the file after each command that was written. */
async function fullAt(path: string, writesLeft: number) {
  const disk = new FullDisk(join(path, '..'), { writesLeft });
  const faults: unknown[] = [];
  const hashes: string[] = [];
  let isFull = false;
  try {
    const exchange = new Exchange(options(MARKETS));
    const store = new JournalFile(path);
    const onFault = (error: unknown): void => void faults.push(error);
    const journal = new PaperJournal({ store, rotateBytes: 8_000, onFault });
    journal.restart(START, exchange.snapshotPieces());
    hashes.push(exchange.stateHash());
    const day = new RandomDay('full');
    for (const { events, hash, snapshot } of stepsOf(exchange, day, 25)) {
      journal.append(events);
      await journal.durable();
      hashes.push(hash);
      if (journal.isFull) journal.rotate(START, snapshot);
      await nextLoop();
    }
    journal.close();
  } catch (error) {
    isFull = true;
    expect(error).toMatchObject({ code: 'ENOSPC' });
  } finally {
    disk.restore();
  }
  return { hashes, faults, isFull, writes: disk.writes };
}

/** As {@link dayOf}, one by one. */
function* stepsOf(exchange: Exchange, day: Day, commands: number) {
  for (let n = 0; n < commands; n += 1) {
    const [done] = dayOf(exchange, day, 1);
    yield { ...must(done, 'a command'), snapshot: exchange.snapshotPieces() };
  }
}

describe('the journal on a disk that becomes full', () => {
  it('the journal keeps every command that was answered and no part of another, at whichever write the disk is full', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'full-'));
    try {
      for (let writesLeft = 0, isOver = false; !isOver; writesLeft += 1) {
        const path = join(folder, String(writesLeft), 'journal.jsonl');
        const { hashes, faults, isFull } = await fullAt(path, writesLeft);
        isOver = !isFull && faults.length === 0;
        if (hashes.length === 0) continue;
        const journal = new PaperJournal({
          store: new JournalFile(path),
          onFault: () => undefined,
        });
        const content = must(journal.read(), 'a journal');
        expect(stateOf(content), `full at write ${writesLeft}`).toBe(hashes.at(-1));
        journal.close();
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('the part of a record that fitted is removed from the file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'full-'));
    const path = join(folder, 'journal.jsonl');
    const disk = new FullDisk(folder, { writesLeft: 2 });
    try {
      const store = new JournalFile(path);
      store.append('00000000 ["whole"]\n');
      store.writeWaiting();
      const before = readFileSync(path, 'utf8');
      store.append('00000000 ["cut"]\n');
      await expect(store.written()).rejects.toThrow(`${path} cannot be written: ENOSPC`);
      expect(readFileSync(path, 'utf8')).toBe(before);
      // The folder, the first record, half of the second, the rest of it.
      expect(disk.writes).toBe(4);
      expect(() => store.append('00000000 ["after"]\n')).toThrow('ENOSPC');
      store.close();
    } finally {
      disk.restore();
      rmSync(folder, { recursive: true });
    }
  });
});
