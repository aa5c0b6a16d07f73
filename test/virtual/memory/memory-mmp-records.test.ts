import { MemoryMmpRecords } from '../../../src/virtual/memory/memory-mmp-records.ts';
import { mmpRecordsConformance } from '../../conformance/mmp-records.ts';

mmpRecordsConformance(() => Promise.resolve(new MemoryMmpRecords()));
