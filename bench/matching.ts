// The matching core alone: operations a second compared with order books from npm on the same stream, the
// latency of one operation, and the memory of a resting order.
import { isDeepStrictEqual } from 'node:util';
import { MatchEngine, type MeasuredBook, NodejsBook, OwnBook } from './matching-books.ts';
import { benchOrderMemory } from './order-memory.ts';
import { type OrderStream, orderStream, type StreamStep } from './order-stream.ts';
import { percentile } from './percentile.ts';
import type { Row } from './row.ts';

const RESTING = 10_000;
const MIXED = 200_000;
const ROUNDS = 7;
/** Distance from the other side's best price: half within 70 ticks, nine in ten within 230. */
const MEAN_TICKS = 100;

interface Contender {
  readonly name: string;
  open(): MeasuredBook;
}

const OWN: Contender = { name: 'own book', open: () => new OwnBook() };
const OTHERS: readonly Contender[] = [
  { name: 'nodejs-order-book', open: () => new NodejsBook() },
  { name: 'orderbook-match-engine', open: () => new MatchEngine() },
];

export function benchMatching(): Row[] {
  const stream = orderStream({
    seed: 'matching',
    resting: RESTING,
    mixed: MIXED,
    meanTicks: MEAN_TICKS,
  });
  return [...compareRates(stream), ...measureLatency(stream), ...benchOrderMemory()];
}

function compareRates(stream: OrderStream): Row[] {
  checkAgreement(stream);
  const contenders = [OWN, ...OTHERS];
  const rates = new Map(contenders.map(({ name }) => [name, [] as number[]]));
  // In rounds, so that other load on the machine affects all of them.
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const contender of contenders) rates.get(contender.name)?.push(rateOf(contender, stream));
  }
  const median = ({ name }: Contender): number => percentile(rates.get(name) ?? [], 0.5);
  const own = median(OWN);
  const mix = `60 % add, 30 % cancel, 10 % cross on ${RESTING} resting`;
  return [
    { what: `matching, ${mix}`, value: `${thousands(own)} operations/s`, yardstick: '1 000 000/s' },
    ...OTHERS.map((other) => ({
      what: `  ${other.name}, the same stream`,
      value: `${thousands(median(other))} operations/s`,
      yardstick: `own book ${(own / median(other)).toFixed(1)} times as fast; 3 wanted`,
    })),
  ];
}

function openedBook(contender: Contender, stream: OrderStream): MeasuredBook {
  const book = contender.open();
  for (const step of stream.opening) book.place(step);
  return book;
}

function rateOf(contender: Contender, stream: OrderStream): number {
  const book = openedBook(contender, stream);
  const from = performance.now();
  for (const step of stream.mixed) perform(book, step);
  return (stream.mixed.length * 1_000) / (performance.now() - from);
}

function perform(book: MeasuredBook, step: StreamStep): void {
  if (step.kind === 'cancel') book.cancel(step);
  else book.place(step);
}

/** Figures are comparable only if all books end with the same levels. */
function checkAgreement(stream: OrderStream): void {
  const ladders = [OWN, ...OTHERS].map((contender) => {
    const book = openedBook(contender, stream);
    for (const step of stream.mixed) perform(book, step);
    return { name: contender.name, sides: [book.ladder('buy'), book.ladder('sell')] };
  });
  for (const { name, sides } of ladders) {
    if (!isDeepStrictEqual(sides, ladders[0]?.sides))
      throw new Error(`${name} ends with another book`);
  }
}

/** Reads the clock once between any two operations; the cost of the reading is subtracted. */
function measureLatency(stream: OrderStream): Row[] {
  const book = openedBook(OWN, stream);
  const tookNs = timed(stream.mixed.length, (i) => perform(book, stream.mixed[i] as StreamStep));
  const clockNs = percentile(
    timed(stream.mixed.length, () => undefined),
    0.5,
  );
  const netNs = tookNs.map((ns) => Math.max(0, ns - clockNs));
  const medianNs = percentile(netNs, 0.5);
  const outliers = netNs.filter((ns) => ns > 10 * medianNs).length / netNs.length;
  const at = (share: number): string => percentile(netNs, share).toFixed(0);
  return [
    {
      what: '  one operation',
      value: `p50 ${at(0.5)} ns, p99 ${at(0.99)} ns, p99.9 ${at(0.999)} ns, ${(outliers * 100).toFixed(2)} % beyond 10 times p50`,
      yardstick: `5 %; reading the clock takes ${clockNs.toFixed(0)} ns, not counted`,
    },
  ];
}

function timed(count: number, run: (i: number) => void): number[] {
  const readings = new Float64Array(count + 1);
  readings[0] = performance.now();
  for (let i = 0; i < count; i += 1) {
    run(i);
    readings[i + 1] = performance.now();
  }
  return Array.from(
    { length: count },
    (_, i) => ((readings[i + 1] as number) - (readings[i] as number)) * 1_000_000,
  );
}

const thousands = (value: number): string =>
  Math.round(value).toLocaleString('en').replaceAll(',', ' ');
