// What every store refuses, whichever port it implements: nothing of a refused request is stored.
import { expect } from 'vitest';
import { LedgerFailure } from '../../src/ports/ledger.ts';

/** No store can keep it: PostgreSQL has no text with a NUL character. */
export const NUL_TEXT = 'a\0b';

/** Expects that every request is refused, and certain to have no effect. */
export async function expectRefused(
  requests: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<void> {
  for (const [name, request] of Object.entries(requests)) {
    const failure = await request().then(
      (answer) => `answered ${JSON.stringify(answer)}`,
      (error: unknown) => error,
    );
    expect(failure, name).toBeInstanceOf(LedgerFailure);
    expect(failure, name).toMatchObject({ maybe: false });
  }
}
