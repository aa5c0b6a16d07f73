import { describe } from 'vitest';
import { MemoryCostRecord } from '../../../src/virtual/memory/memory-cost-record.ts';
import { costRecordConformance } from '../../conformance/costs/cost-record.ts';

describe('MemoryCostRecord', () => {
  costRecordConformance(() => Promise.resolve(new MemoryCostRecord()));
});
