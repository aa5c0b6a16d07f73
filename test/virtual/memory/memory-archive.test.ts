import { describe } from 'vitest';
import { MemoryArchive } from '../../../src/virtual/memory/memory-archive.ts';
import { archivedReadsConformance } from '../../conformance/archive/archived-reads.ts';

describe('MemoryArchive', () => {
  archivedReadsConformance((days) =>
    Promise.resolve({ archive: new MemoryArchive(days), digestOf: () => '' }),
  );
});
