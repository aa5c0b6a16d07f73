// Contract of every store of recordings: what was committed is there, whole and in order, and nothing else is.
import { describe, expect, test } from 'vitest';
import type { RecordingStore } from '../../src/ports/recording/recording-store.ts';
import { RecordingUnwritable } from '../../src/ports/recording/recording-store.ts';

export interface RecordingStage {
  readonly store: RecordingStore;
  /** The store as a new process finds it, after this one was killed between two commits. */
  reopened(): Promise<RecordingStore>;
  /** From now on nothing can be written. */
  breakDown(): void;
}

const texts = (...all: (readonly [file: string, text: string])[]): Map<string, string> =>
  new Map(all);

/** `open` returns an empty store. */
export function recordingStoreConformance(open: () => Promise<RecordingStage>): void {
  describe('a store of recordings', () => {
    test('a store without a commit has no note and no files', async () => {
      const { store } = await open();
      expect(store.note).toBeUndefined();
      expect([...store.files]).toEqual([]);
      expect(await store.lastLines('a.csv.gz', 10)).toEqual([]);
    });

    test('texts of several commits follow each other, and the note is the last one', async () => {
      const { store, reopened } = await open();
      await store.commit({
        texts: texts(['a.csv.gz', '1\n2\n'], ['b.csv', 'x\n']),
        note: { n: 1 },
      });
      await store.commit({ texts: texts(['a.csv.gz', '3\n']), note: { n: 2 } });
      for (const each of [store, await reopened()]) {
        expect(each.note).toEqual({ n: 2 });
        expect([...each.files].toSorted()).toEqual(['a.csv.gz', 'b.csv']);
        expect(await each.lastLines('a.csv.gz', 10)).toEqual(['1', '2', '3']);
        expect(await each.lastLines('a.csv.gz', 2)).toEqual(['2', '3']);
        expect(await each.lastLines('b.csv', 10)).toEqual(['x']);
      }
      expect(store.bytes).toBeGreaterThan(0);
    });

    test('a store that was opened again continues where it was', async () => {
      const { store, reopened } = await open();
      await store.commit({ texts: texts(['a.csv.gz', '1\n']), note: { n: 1 } });
      const again = await reopened();
      await again.commit({ texts: texts(['a.csv.gz', '2\n']), note: { n: 2 } });
      expect(await again.lastLines('a.csv.gz', 10)).toEqual(['1', '2']);
    });

    test('a file that is done is no longer listed, also after the store is opened again', async () => {
      const { store, reopened } = await open();
      await store.commit({
        texts: texts(['a.csv.gz', '1\n'], ['b.csv.gz', '2\n']),
        note: {},
        done: ['a.csv.gz'],
      });
      expect([...store.files]).toEqual(['b.csv.gz']);
      expect([...(await reopened()).files]).toEqual(['b.csv.gz']);
    });

    test('a commit that cannot be written leaves the commit before, and no later one is accepted', async () => {
      const { store, breakDown } = await open();
      await store.commit({ texts: texts(['a.csv.gz', '1\n']), note: { n: 1 } });
      breakDown();
      const commit = { texts: texts(['a.csv.gz', '2\n']), note: { n: 2 } };
      await expect(store.commit(commit)).rejects.toThrow(RecordingUnwritable);
      expect(store.note).toEqual({ n: 1 });
      expect(await store.lastLines('a.csv.gz', 10)).toEqual(['1']);
      await expect(store.commit(commit)).rejects.toThrow(RecordingUnwritable);
    });
  });
}
