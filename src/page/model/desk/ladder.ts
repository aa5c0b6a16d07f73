// The instrument whose ladder is shown: of the address, so that a reload and a link keep it. Its book, ticker and last trades
// come as they are published.
import { computed, signal } from '@preact/signals';
import type { MethodResults } from '../../../gateway/client/client.ts';
import { areChannelsLive, channelsLostMs, followChannel } from '../../link/channel-socket.ts';
import { callMethod } from '../../link/page-session.ts';
import type { Ticker } from '../instruments/option-chain.ts';
import { reading } from '../operations/reading.ts';
import { current, type Shown } from '../panel-state.ts';
import { screen } from '../screen.ts';
import type { BookRecord } from './book.ts';
import { painted } from './painted.ts';

export interface TapeRow {
  readonly tradeId: string;
  readonly timestamp: number;
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly quantity: string;
}

interface Ladder {
  readonly book: BookRecord | undefined;
  readonly ticker: Ticker | undefined;
  readonly tape: readonly TapeRow[];
}

const FIRST = 'BTC-PERPETUAL';
const NAME = 'instrument';
const TAPE_ROWS = 15;
const RETRY_MS = 2_000;
const EMPTY: Ladder = { book: undefined, ticker: undefined, tape: [] };

export const ladderAddress = (instrument: string): string =>
  `#screen=orders&${NAME}=${encodeURIComponent(instrument)}`;

const addressed = signal(location.hash);
addEventListener('hashchange', () => {
  addressed.value = location.hash;
});
/** A change of the screen alone keeps the instrument. */
let last = FIRST;
export const instrumentName = computed(() => {
  void screen.value;
  last = new URLSearchParams(addressed.value.slice(1)).get(NAME) ?? last;
  return last;
});

export const details = signal<MethodResults['public/get_instrument'] | undefined>(undefined);
const detailsFault = signal('');

let now: Ladder = EMPTY;
const latest = painted(() => ({ ...now }));
export const ladder = latest.shown;

/** The book of the instrument, as its channel keeps it. */
export const bookShown = computed((): Shown<BookRecord> => {
  const { book: value } = ladder.value;
  if (value === undefined) return { kind: 'unread', fault: detailsFault.value };
  return areChannelsLive.value
    ? current(value)
    : { kind: 'stale', value, sinceMs: channelsLostMs.value, fault: '' };
});

/** Names to choose from. */
export const names = reading(() => callMethod('public/get_instruments', { currency: 'any' }));

/** Follows an instrument until the returned function is called. */
export function followLadder(name: string): () => void {
  now = EMPTY;
  details.value = undefined;
  detailsFault.value = '';
  latest.mark();
  let isFollowed = true;
  void readDetails(name, () => isFollowed);
  const change = (next: Partial<Ladder>): void => {
    now = { ...now, ...next };
    latest.mark();
  };
  const leaves = [
    followChannel(
      { channel: `book.${name}.none.20.100ms` },
      { hear: (data) => change({ book: data as BookRecord }) },
    ),
    followChannel(
      { channel: `ticker.${name}.100ms` },
      { hear: (data) => change({ ticker: data as Ticker }) },
    ),
    followChannel(
      { channel: `trades.${name}.100ms` },
      {
        hear: (data) => {
          const newestFirst = [...(data as readonly TapeRow[])].reverse();
          change({ tape: [...newestFirst, ...now.tape].slice(0, TAPE_ROWS) });
        },
      },
    ),
  ];
  return () => {
    isFollowed = false;
    for (const leave of leaves) leave();
  };
}

/** Until they were read, as long as the instrument is followed; a refusal stands. */
async function readDetails(name: string, isFollowed: () => boolean): Promise<void> {
  while (isFollowed()) {
    const answer = await callMethod('public/get_instrument', { instrumentName: name });
    if (!isFollowed()) return;
    if (answer.kind === 'done') {
      details.value = answer.value;
      detailsFault.value = '';
      return;
    }
    detailsFault.value = answer.message;
    if (answer.kind === 'refused') return;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
