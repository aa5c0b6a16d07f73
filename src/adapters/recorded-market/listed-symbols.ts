// What a recording lists at an instant: the symbols that had quotes by then, and what is known of their indexes.
import { type Instant, instant, later, MINUTE_MS } from '../../values/instant.ts';
import type { RecordedEvent } from '../../values/recorded-event.ts';
import { mergeRecordings } from './merge-recordings.ts';
import type { RecordingFile } from './recording-files.ts';

interface ListedSymbol {
  /** The latest index price; of an option without one the price of its underlying. */
  readonly index?: string | undefined;
  /** The latest best bid of the book. */
  readonly bid?: string | undefined;
}

export interface RecordedListing {
  /** Of the listing: as requested, or soon after the first row. */
  readonly at: Instant;
  readonly symbols: ReadonlyMap<string, ListedSymbol>;
}

/** Quotes of all symbols are recorded within it. */
const GATHERING_MS = MINUTE_MS;

/** At `at`, or a minute after the first row if that is later or `at` is not known. @throws RecordingFault */
export async function listedSymbols(
  files: readonly RecordingFile[],
  at: Instant | undefined,
): Promise<RecordedListing> {
  const symbols = new Map<string, ListedSymbol>();
  let until: Instant | undefined;
  for await (const batch of mergeRecordings(files, { isWanted: () => true })) {
    for (const event of batch) {
      until ??= instant(Math.max(at ?? 0, later(event.at, GATHERING_MS)));
      if (event.at > until) return { at: until, symbols };
      const seen = seenIn(event, symbols.get(event.symbol));
      if (seen !== undefined) symbols.set(event.symbol, seen);
    }
  }
  return { at: until ?? at ?? instant(0), symbols };
}

function seenIn(event: RecordedEvent, before: ListedSymbol | undefined): ListedSymbol | undefined {
  switch (event.kind) {
    case 'trade':
      return before;
    case 'book':
      return { ...before, bid: event.bids[0]?.price ?? before?.bid };
    case 'ticker':
      return { ...before, index: event.index ?? event.underlying ?? before?.index };
  }
}
