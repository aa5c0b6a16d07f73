import { describe } from 'vitest';
import { MemoryKeyRecords } from '../../../src/virtual/memory/memory-key-records.ts';
import { keyRecordsConformance } from '../../conformance/key-records.ts';

describe('MemoryKeyRecords', () => {
  keyRecordsConformance(() => Promise.resolve(new MemoryKeyRecords()));
});
