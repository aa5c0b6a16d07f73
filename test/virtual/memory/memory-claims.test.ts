import { describe } from 'vitest';
import { type Instant, instant } from '../../../src/values/instant.ts';
import { MemoryClaims } from '../../../src/virtual/memory/memory-claims.ts';
import { claimsConformance } from '../../conformance/deployment/claims.ts';

describe('MemoryClaims', () => {
  claimsConformance(() => {
    let now: Instant = instant(0);
    const setNow = (at: Instant): void => {
      now = at;
    };
    return Promise.resolve({ claims: new MemoryClaims(() => now), setNow });
  });
});
