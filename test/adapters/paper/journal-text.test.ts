import { expect, test } from 'vitest';
import {
  commandLine,
  headPieces,
  readJournal,
} from '../../../src/adapters/paper/journal/journal-text.ts';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { AccountEvent } from '../../../src/exchange/exchange-event.ts';
import { journalRecord } from '../../../src/exchange/journal/plain.ts';
import { options, START } from '../../exchange/exchange-desk.ts';
import { RandomDay } from '../../exchange/random-day.ts';

const written = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

test('a journal line is the text of the plain records, for every command of a random day', () => {
  const exchange = new Exchange(options());
  const day = new RandomDay('lines');
  const kinds = new Set<string>();
  for (let i = 0; i < 1_500; i += 1) {
    const answer = exchange.handle(day.next());
    if (answer.kind === 'order') day.sawOrder(answer.order);
    const events = exchange
      .drainEvents()
      .filter((event): event is AccountEvent => event.kind !== 'print');
    for (const { kind } of events) kinds.add(kind);
    const line = commandLine(events);
    if (events.length === 0) expect(line).toBe('');
    else expect(JSON.parse(line.slice(9))).toEqual(written(events.map(journalRecord)));
  }
  expect(kinds.size).toBeGreaterThanOrEqual(4);
  const snapshot = JSON.parse(JSON.stringify(exchange.snapshot()));
  const of = { kind: 'snapshot', bornAt: START, savedAt: START, segment: 3, written: 7 } as const;
  const base = (text: string) => [{ segment: undefined, text }];
  const first = [...headPieces(of, exchange.snapshotPieces())].join('');
  const content = readJournal(base(first));
  expect(content).toMatchObject({ head: { ...of, snapshot }, lastSegment: 2, written: 7 });
  const old = JSON.stringify({ kind: 'snapshot', bornAt: 1, savedAt: 1, snapshot: { version: 1 } });
  expect(readJournal(base(`${old}\n`))).toMatchObject({ commands: [], lastSegment: 0, written: 0 });
});
