// Rotation of the journal to a snapshot while the exchange continues: a process that starts at any instant in
// between finds the state of that instant.
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextLoop } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JournalFile } from '../../../src/adapters/paper/journal/journal-file.ts';
import type { JournalStore } from '../../../src/adapters/paper/journal/journal-store.ts';
import { JournalDamaged } from '../../../src/adapters/paper/journal/journal-text.ts';
import { PaperJournal } from '../../../src/adapters/paper/journal/paper-journal.ts';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { AccountEvent, ExchangeEvent } from '../../../src/exchange/exchange-event.ts';
import { must } from '../../../src/values/assert.ts';
import { options, START } from '../../exchange/exchange-desk.ts';
import { btcPerpetual, btcSpot } from '../../exchange/instruments.ts';
import { WaitingDay } from '../../exchange/waiting-day.ts';
import { fullAtEachWrite } from '../../support/full-disk.ts';
import { until } from '../until.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rotation-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});
const home = (): string => join(folder, 'home');
const pathIn = (where: string): string => join(where, 'journal.jsonl');

const isAccountEvent = (event: ExchangeEvent): event is AccountEvent => event.kind !== 'print';
const MARKETS = [btcPerpetual, btcSpot];

/** An exchange through a day of orders of every kind, written to a journal like the venue does. */
class Life {
  readonly exchange = new Exchange(options(MARKETS));
  readonly faults: unknown[] = [];
  readonly journal: PaperJournal;
  readonly #day: WaitingDay;
  rotations = 0;

  constructor(store: JournalStore, seed = 'rotation') {
    const onFault = (error: unknown): void => void this.faults.push(error);
    this.journal = new PaperJournal({ store, rotateBytes: 60_000, onFault });
    expect(this.journal.read()).toBeUndefined();
    this.journal.restart(START, this.exchange.snapshotPieces());
    this.#day = new WaitingDay(seed);
    for (const command of this.#day.revival()) this.#do(command);
  }

  step(): void {
    this.#do(this.#day.next());
  }

  #do(command: Parameters<Exchange['handle']>[0]): void {
    const answer = this.exchange.handle(command);
    if (answer.kind === 'order') this.#day.sawOrder(answer.order);
    this.journal.append(this.exchange.drainEvents().filter(isAccountEvent));
    if (!this.journal.isFull) return;
    this.rotations += 1;
    this.journal.rotate(command.now, this.exchange.snapshotPieces());
  }
}

/** The state hash that a process finds if it starts now. */
function foundIn(where: string): string {
  const store = new JournalFile(pathIn(where));
  const onFault = (error: unknown): never => {
    throw error;
  };
  const journal = new PaperJournal({ store, onFault });
  try {
    const content = must(journal.read(), 'a journal');
    const exchange = Exchange.restore(content.head.snapshot, options(MARKETS));
    for (const command of content.commands) exchange.applyJournal(command);
    return exchange.stateHash();
  } finally {
    journal.close();
  }
}

/** A copy of the folder as it is at this instant. */
function left(from = home()): string {
  const where = mkdtempSync(join(folder, 'left-'));
  cpSync(from, where, { recursive: true });
  return where;
}

const layout = (where: string): string => readdirSync(where).sort().join(' ');

describe('rotation of the journal', () => {
  it('the journal is complete at every instant of its rotation', { timeout: 240_000 }, async () => {
    const met = new Set<string>();
    const check = (): void => {
      store.writeWaiting();
      const where = left();
      met.add(layout(where));
      expect(foundIn(where)).toBe(life.exchange.stateHash());
      rmSync(where, { recursive: true });
    };
    let steps = 0;
    let pieces = 0;
    class Watched extends JournalFile {
      override replaceBefore(segment: number, snapshot: Iterable<string>): Promise<void> {
        return super.replaceBefore(
          segment,
          (function* () {
            for (const piece of snapshot) {
              pieces += 1;
              // The exchange continues, with occasional crashes.
              life.step();
              steps += 1;
              if (pieces % 16 === 0) check();
              yield piece;
            }
          })(),
        );
      }
    }
    const store = new Watched(pathIn(home()));
    const life: Life = new Life(store);
    while (life.rotations < 4) {
      life.step();
      if (steps % 8 === 0) check();
      await nextLoop();
    }
    for (let n = 0; n < 50; n += 1) await nextLoop();
    check();
    expect(life.faults).toEqual([]);
    expect(pieces).toBeGreaterThan(60);
    const base = 'journal.jsonl';
    expect([...met]).toEqual(
      expect.arrayContaining([base, `${base} ${base}.1 ${base}.next`, `${base} ${base}.1`]),
    );
  });

  it('segments left behind by a crash are ignored if the snapshot includes them', async () => {
    const life = new Life(new JournalFile(pathIn(home())));
    const head = (): string => readFileSync(pathIn(home()), 'utf8').slice(0, 100);
    const turned = async (rotations: number): Promise<void> => {
      const before = head();
      while (life.rotations < rotations) {
        life.step();
        await nextLoop();
      }
      while (head() === before || layout(home()).split(' ').length > 2) await nextLoop();
    };
    await turned(1);
    const before = left();
    await turned(2);
    for (let n = 0; n < 20; n += 1) life.step();
    await nextLoop();
    const after = left();
    expect(layout(after)).toBe('journal.jsonl journal.jsonl.2');
    cpSync(`${pathIn(before)}.1`, `${pathIn(after)}.1`);
    writeFileSync(`${pathIn(after)}.next`, '{"kind":"snapshot","bornAt":1');
    expect(foundIn(after)).toBe(life.exchange.stateHash());
    // The next start replaces everything by one base.
    const onFault = (error: unknown): void => void life.faults.push(error);
    const journal = new PaperJournal({ store: new JournalFile(pathIn(after)), onFault });
    journal.read();
    journal.restart(START, life.exchange.snapshotPieces());
    expect(layout(after)).toBe('journal.jsonl');
    expect(foundIn(after)).toBe(life.exchange.stateHash());
    // If it had crashed before deleting them, they would not count.
    cpSync(`${pathIn(before)}.1`, `${pathIn(after)}.2`);
    expect(foundIn(after)).toBe(life.exchange.stateHash());
    journal.close();
  });

  it('a store closed during the rotation keeps the old base', async () => {
    const life = new Life(new JournalFile(pathIn(home())));
    while (life.rotations < 1) life.step();
    life.journal.close();
    // An unfinished snapshot is discarded when its write ends.
    await until(() => !existsSync(`${pathIn(home())}.next`));
    for (let n = 0; n < 50; n += 1) await nextLoop();
    expect(layout(home())).toContain('journal.jsonl journal.jsonl.1');
    expect(foundIn(home())).toBe(life.exchange.stateHash());
    expect(life.faults).toEqual([]);
  });

  it('nothing is changed after closing, however far the new base has been written', async () => {
    const content = (): readonly string[] =>
      readdirSync(home())
        .filter((name) => !name.endsWith('.next'))
        .sort()
        .map((name) => readFileSync(join(home(), name), 'utf8'));
    for (let looks = 0; looks < 1_200; looks += 10) {
      const store = new JournalFile(pathIn(home()));
      store.replace('old\n');
      store.continueIn(1);
      const replaced = store.replaceBefore(1, ['new\n']);
      for (let n = 0; n < looks; n += 1) await nextLoop();
      store.close();
      const before = content();
      await replaced;
      expect(content()).toEqual(before);
      rmSync(home(), { recursive: true });
    }
  });

  it('a journal that is closed twice, and appended to afterwards, touches no other file', async () => {
    const store = new JournalFile(pathIn(home()));
    store.append('before\n');
    store.close();
    await nextLoop();
    const other = openSync(join(home(), 'other'), 'w+');
    store.append('after\n');
    const written = store.written();
    await expect(written).rejects.toThrow('is closed');
    store.close();
    await nextLoop();
    expect(readFileSync(join(home(), 'other'), 'utf8')).toBe('');
    expect(readFileSync(pathIn(home()), 'utf8')).toBe('before\n');
    closeSync(other);
  });

  it('a new base on a disk that is full at any of its writes leaves the old one whole, and takes no space', async () => {
    const store = new JournalFile(pathIn(home()));
    store.replace('old\n');
    store.continueIn(1);
    const failures = await fullAtEachWrite(
      home(),
      () => store.replaceBefore(1, ['new\n']),
      (error) => {
        expect(String(error)).toContain(`${pathIn(home())}.next cannot be written: ENOSPC`);
        expect(layout(home())).toBe('journal.jsonl journal.jsonl.1');
        expect(readFileSync(pathIn(home()), 'utf8')).toBe('old\n');
      },
    );
    expect(failures).not.toEqual([]);
    expect(readFileSync(pathIn(home()), 'utf8')).toBe('new\n');
    store.close();
  });

  it('a snapshot that cannot be written is reported and retried, and nothing is lost', async () => {
    const life = new Life(new JournalFile(pathIn(home())));
    const inTheWay = `${pathIn(home())}.next`;
    mkdirSync(join(inTheWay, 'x'), { recursive: true });
    while (life.faults.length === 0) {
      life.step();
      await nextLoop();
    }
    expect(foundIn(home())).toBe(life.exchange.stateHash());
    rmSync(inTheWay, { recursive: true });
    const begun = life.rotations;
    while (life.rotations === begun) {
      life.step();
      await nextLoop();
    }
    while (layout(home()).split(' ').length > 2) await nextLoop();
    expect(layout(home())).toBe(`journal.jsonl journal.jsonl.${life.rotations}`);
    expect(foundIn(home())).toBe(life.exchange.stateHash());
    life.journal.close();
  });
});

describe('a journal in segments', () => {
  const damage = async (): Promise<string> => {
    const life = new Life(new JournalFile(pathIn(home())));
    while (life.rotations < 1) life.step();
    for (let n = 0; n < 30; n += 1) life.step();
    life.journal.close();
    await nextLoop();
    return pathIn(home());
  };

  it('only the torn last line of the last segment is dropped', async () => {
    const path = await damage();
    const found = foundIn(home());
    const text = readFileSync(`${path}.1`, 'utf8');
    writeFileSync(`${path}.1`, `${text}{"kind":"tr`);
    expect(foundIn(home())).toBe(found);
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"kind":"tr`);
    expect(() => foundIn(home())).toThrow(JournalDamaged);
    expect(() => foundIn(home())).toThrow('it is cut short, and a segment follows');
  });

  it('a torn first line of the last segment is dropped', async () => {
    const path = await damage();
    writeFileSync(`${path}.1`, '{"kind":"seg');
    const torn = foundIn(home());
    writeFileSync(`${path}.1`, '');
    expect(foundIn(home())).toBe(torn);
    rmSync(`${path}.1`);
    expect(foundIn(home())).toBe(torn);
  });

  it('segments that do not follow each other are refused, naming the segment', async () => {
    const path = await damage();
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, [...lines.slice(0, -2), ''].join('\n'));
    expect(() => foundIn(home())).toThrow('line 1 of segment 1 of the paper exchange');
    writeFileSync(path, lines.join('\n'));
    const segment = readFileSync(`${path}.1`, 'utf8').split('\n');
    writeFileSync(`${path}.1`, segment.with(3, '{"kind":"rumour"}').join('\n'));
    expect(() => foundIn(home())).toThrow('line 4 of segment 1 of the paper exchange');
    writeFileSync(path, '');
    expect(() => foundIn(home())).toThrow('the snapshot is cut short');
  });
});
