import { describe } from 'vitest';
import { archivedReadsConformance } from '../../conformance/archive/archived-reads.ts';
import { MemoryArchive } from '../../doubles/memory/memory-archive.ts';

describe('MemoryArchive', () => {
  archivedReadsConformance((days) =>
    Promise.resolve({ archive: new MemoryArchive(days), digestOf: () => '' }),
  );
});
