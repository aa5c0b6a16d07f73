import { recordingStoreConformance } from '../conformance/recording-store.ts';
import { MemoryRecordingStore } from '../support/recording/memory-recording-store.ts';

recordingStoreConformance(() => {
  const store = new MemoryRecordingStore();
  return Promise.resolve({
    store,
    reopened: () => Promise.resolve(new MemoryRecordingStore(store)),
    breakDown: () => {
      store.isBroken = true;
    },
  });
});
