// What the strategies of a run submit, and which failures of theirs are injected.
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import { LedgerFailure } from '../../../src/ports/ledger.ts';
import { steps } from '../../../src/values/amounts.ts';
import { isProgrammingError } from '../../../src/values/errors/programming-error.ts';
import { ACCOUNTS, DUMMY } from '../plan/simulated-accounts.ts';
import { INSTRUMENTS } from './simulated-market.ts';

/** Out of reach, or refused for now; nothing that a programming error caused. */
export const isMeant = (error: unknown): boolean =>
  !isProgrammingError(error) &&
  (error instanceof LedgerFailure || (error instanceof Error && error.name === 'Error'));

export const strategyForm = (name: string): PortfolioForm => {
  const { name: instrument, kind, amountStep } = INSTRUMENTS.perpetual;
  return {
    accountId: ACCOUNTS[0] ?? DUMMY,
    portfolioType: 'TWAP',
    strategy: name,
    customizedNote: name,
    twapTrade: { durationSec: 2, frequencySec: 1 },
    dummyAccounts: [],
    execution: {},
    legs: [
      {
        instrument,
        instrumentType: kind,
        side: 'buy',
        quantity: steps(amountStep, 6),
        priceOptions: { priceType: 'market' },
        priceSnapshot: [],
        postOnly: false,
        reduceOnly: false,
        hidden: false,
        hedge: false,
      },
    ],
  };
};
