import { defineConfig } from 'vitest/config';

/** Tests that need a network beyond this machine, one after the other: they share an account and its rate limits. */
export default defineConfig({
  test: {
    include: ['test/network/*.network.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
