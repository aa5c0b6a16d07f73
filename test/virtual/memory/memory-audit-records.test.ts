import { describe } from 'vitest';
import { instant } from '../../../src/values/instant.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { auditBaselinesConformance } from '../../conformance/audit/audit-baselines.ts';
import { auditReadsConformance } from '../../conformance/audit/audit-reads.ts';
import { chainWitnessConformance } from '../../conformance/audit/chain-witness.ts';
import {
  auditReadsOf,
  MemoryAuditBaselines,
  MemoryChainWitness,
} from '../../doubles/memory/memory-audit-records.ts';

describe('auditReadsOf', () => {
  auditReadsConformance(() => {
    const ledger = new MemoryLedger({ now: () => instant(1_800_000_000_000) });
    const reads = auditReadsOf({
      load: (portfolio) => ledger.load(portfolio),
      page: (query) => ledger.page(query),
      row: (portfolio) => ledger.row(portfolio),
    });
    return Promise.resolve({ ledger, reads });
  });
});

describe('MemoryAuditBaselines', () => {
  const baselines = new MemoryAuditBaselines();
  auditBaselinesConformance(() => Promise.resolve(baselines));
});

describe('MemoryChainWitness', () => {
  chainWitnessConformance(() => ({ witness: new MemoryChainWitness() }));
});
