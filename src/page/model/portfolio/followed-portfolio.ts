// The portfolio that is shown, followed live: its record and messages by the stream of news, its course and its report by
// requests that follow one another. Nothing of it is kept when another one is shown.
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type {
  CourseRecord,
  HistoryRecord,
  PortfolioReport,
} from '../../../gateway/client/client.ts';
import type { PortfolioRecord } from '../../../gateway/portfolios/record-schema.ts';
import type { NewsFrame } from '../../../gateway/stream/news-frame.ts';
import { link } from '../../link/news-socket.ts';
import { access, request } from '../../link/page-session.ts';
import { type Shown, shownOf } from '../panel-state.ts';
import { joined } from './course-data.ts';
import type { HistoryEvent } from './sentences.ts';

/** What was read, and when by `performance.now()`. */
export interface Read<T> {
  readonly value: T;
  readonly readMs: number;
}

export const record = signal<Read<PortfolioRecord> | undefined>(undefined);
export const course = signal<Read<CourseRecord> | undefined>(undefined);
export const report = signal<Read<PortfolioReport> | undefined>(undefined);
/** When the messages of the portfolio were read as a whole. */
const historyMs = signal<number | undefined>(undefined);

type About = 'record' | 'course' | 'report' | 'history';

/** Why each could not be read the last time. */
const trouble = signal<Readonly<Partial<Record<About, string>>>>({});

const shownAs = <T>(read: ReadonlySignal<Read<T> | undefined>, about: About) =>
  computed(() => {
    const { value, readMs } = read.value ?? {};
    return shownOf(value, { fault: trouble.value[about] ?? '', readMs });
  });

/** News keeps it current as long as it arrives. */
const whileHeard = <T>(shown: Shown<T>): Shown<T> =>
  shown.kind === 'read' && link.value.kind === 'reconnecting'
    ? { kind: 'stale', value: shown.value, sinceMs: link.value.sinceMs, fault: '' }
    : shown;

const recordRead = shownAs(record, 'record');
export const recordShown = computed(() => whileHeard(recordRead.value));
export const courseShown = shownAs(course, 'course');
export const reportShown = shownAs(report, 'report');

const PAINT_MS = 150;
const COURSE_MS = 2_000;
const REPORT_MS = 5_000;
const RETRY_MS = 1_000;
/** What takes long to answer is requested less often, so that a long portfolio costs its gateway little. */
const REST_TIMES = 20;
const HISTORY_LIMIT = 1_000;

const happened = new Map<number, HistoryEvent>();
const painted = signal(0);
let isPaintDue = false;
/** Everything up to this version has been read. */
let readTo = 0;
/** Of the portfolio that is followed; another one ends what was begun for it. */
let followed = { id: '' };

/** In order. */
export const historyEvents = computed((): readonly HistoryEvent[] => {
  void painted.value;
  return [...happened.values()].sort((a, b) => a.version - b.version);
});

export const historyShown = computed(() =>
  whileHeard(
    shownOf(historyEvents.value, {
      fault: trouble.value.history ?? '',
      readMs: historyMs.value,
    }),
  ),
);

export function unfollow(): void {
  followed = { id: '' };
  for (const one of [record, course, report]) one.value = undefined;
  trouble.value = {};
  historyMs.value = undefined;
  happened.clear();
  readTo = 0;
  paint();
}

export function follow(id: string): void {
  unfollow();
  const own = { id };
  followed = own;
  void readRecord(own);
  void readHistory(own);
  void poll(own, COURSE_MS, readCourse);
  void poll(own, REPORT_MS, readReport);
}

/** A message of any portfolio. */
export function hearPortfolio({ timestamp, data }: NewsFrame): void {
  if (data.portfolioId !== followed.id) return;
  keepRecord(data.portfolio);
  const { messageType, version, reason, detail } = data;
  keepHistory([
    { messageType, version, timestamp, reason, detail: detail as HistoryEvent['detail'] },
  ]);
}

/** Messages may be missing: what was not read yet is. */
export async function rereadFollowed(): Promise<void> {
  const own = followed;
  if (own.id !== '') await Promise.all([readRecord(own), readHistory(own)]);
}

/** Reads the record once more, after a request whose outcome is unknown. */
export const lookAgain = (): Promise<void> => readRecord(followed);

const isOver = (): boolean => [2, 3].includes(record.value?.value.portfolioStatus ?? 1);

const goesOn = (own: typeof followed): boolean =>
  own === followed && own.id !== '' && access.value.kind === 'open';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** One request after the other while the page is looked at; of one that has ended, only once it is read. */
async function poll(
  own: typeof followed,
  everyMs: number,
  read: (own: typeof followed) => Promise<boolean>,
): Promise<void> {
  while (goesOn(own)) {
    const wasOver = isOver();
    const fromMs = performance.now();
    const isRead = !document.hidden && (await read(own));
    if (isRead && wasOver) return;
    const tookMs = performance.now() - fromMs;
    await pause(Math.max(everyMs, REST_TIMES * tookMs));
  }
}

async function readRecord(own: typeof followed): Promise<void> {
  while (goesOn(own)) {
    const answer = await request<PortfolioRecord>(`api/info?portfolioId=${own.id}`);
    if (!goesOn(own)) return;
    if (answer.kind === 'done') {
      setTrouble('record', undefined);
      keepRecord(answer.value);
      return;
    }
    setTrouble('record', answer.message);
    if (answer.kind === 'refused') return;
    await pause(RETRY_MS);
  }
}

async function readHistory(own: typeof followed): Promise<void> {
  while (goesOn(own)) {
    const answer = await request<HistoryRecord>(
      `api/history?portfolioId=${own.id}&after=${readTo}&limit=${HISTORY_LIMIT}`,
    );
    if (!goesOn(own)) return;
    setTrouble('history', answer.kind === 'done' ? undefined : answer.message);
    if (answer.kind === 'refused') return;
    if (answer.kind === 'done') {
      keepHistory(answer.value.events);
      readTo = Math.max(readTo, answer.value.version);
      if (answer.value.isComplete) {
        historyMs.value = performance.now();
        return;
      }
    } else await pause(RETRY_MS);
  }
}

async function readCourse(own: typeof followed): Promise<boolean> {
  const known = course.value?.value;
  const query = new URLSearchParams({ portfolioId: own.id });
  if (known !== undefined) {
    query.set('after', String(known.version));
    const lastMs = Math.max(0, ...known.legs.map(({ market }) => market.at(-1)?.at ?? 0));
    if (lastMs > 0) query.set('marketAfter', String(lastMs));
  }
  const answer = await request<CourseRecord>(`api/course?${query}`);
  if (!goesOn(own)) return false;
  setTrouble('course', answer.kind === 'done' ? undefined : answer.message);
  if (answer.kind !== 'done') return answer.kind === 'refused';
  course.value = { value: joined(known, answer.value), readMs: performance.now() };
  // Orders that are placed and closed are no messages: what is open changes without one.
  if (answer.value.version !== known?.version) void readRecord(own);
  return true;
}

async function readReport(own: typeof followed): Promise<boolean> {
  const answer = await request<PortfolioReport>(`api/report?portfolioId=${own.id}`);
  if (!goesOn(own)) return false;
  setTrouble('report', answer.kind === 'done' ? undefined : answer.message);
  if (answer.kind !== 'done') return answer.kind === 'refused';
  report.value = { value: answer.value, readMs: performance.now() };
  return true;
}

function setTrouble(about: About, why: string | undefined): void {
  if (trouble.value[about] !== why) trouble.value = { ...trouble.value, [about]: why };
}

/** An older record never replaces a newer one. */
function keepRecord(next: PortfolioRecord): void {
  const before = record.value?.value;
  if (before !== undefined && Number(before.updateTimestamp) > Number(next.updateTimestamp)) return;
  record.value = { value: next, readMs: performance.now() };
}

function keepHistory(events: readonly HistoryEvent[]): void {
  for (const one of events) happened.set(one.version, one);
  paint();
}

/** A few times a second, however many arrive. */
function paint(): void {
  if (isPaintDue) return;
  isPaintDue = true;
  setTimeout(() => {
    isPaintDue = false;
    painted.value += 1;
  }, PAINT_MS);
}
