import { mmpRecordsConformance } from '../../conformance/mmp-records.ts';
import { MemoryMmpRecords } from '../../doubles/memory/memory-mmp-records.ts';

mmpRecordsConformance(() => Promise.resolve(new MemoryMmpRecords()));
