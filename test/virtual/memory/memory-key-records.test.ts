import { describe } from 'vitest';
import { keyRecordsConformance } from '../../conformance/key-records.ts';
import { MemoryKeyRecords } from '../../doubles/memory/memory-key-records.ts';

describe('MemoryKeyRecords', () => {
  keyRecordsConformance(() => Promise.resolve(new MemoryKeyRecords()));
});
