// One change of the portfolio that a person requests: what was asked, what the daemon answered, and whether it has happened,
// which only the portfolio's own record and messages say. Asked once: what is pressed again while it is asked does nothing.

import { signal } from '@preact/signals';
import type { PortfolioRecord } from '../../../gateway/portfolios/record-schema.ts';
import { type Answer, access, request } from '../../link/page-session.ts';
import { confirmationHeaders } from '../confirmation.ts';
import { lookAgain, record } from './followed-portfolio.ts';

export type Action = 'pause' | 'resume' | 'cancel';

export interface Asking {
  readonly action: Action;
  readonly stage: 'filling' | 'asked' | 'answered';
  readonly answer?: Answer<null> | undefined;
}

export const asking = signal<Asking | undefined>(undefined);
/** The one-time code that is written in the dialog. */
export const holdCode = signal('');

const LOOK_EVERY_MS = 2_000;
const CODE_FIELD = 'code';
const CANCELLED = 3;
const CANCELLING = 4;

/** What somebody else or the daemon paused is resumed with a fresh code only: decision 22. */
export function needsCode(action: Action, of: PortfolioRecord): boolean {
  const now = access.value;
  const uid = now.kind === 'open' ? now.hello.uid : '';
  return action === 'resume' && of.paused !== undefined && of.paused.byUid !== uid;
}

export function askFor(action: Action): void {
  holdCode.value = '';
  asking.value = { action, stage: 'filling' };
}

export function stopAsking(): void {
  asking.value = undefined;
}

/** Each may be repeated without doing it twice, so that it may be asked again where the outcome is unknown. */
export async function send({ action }: Asking): Promise<void> {
  const { value } = record;
  if (asking.value === undefined || asking.value.stage === 'asked' || value === undefined) return;
  const own: Asking = { action, stage: 'asked' };
  asking.value = own;
  const { portfolioId, accountId } = value.value;
  const answer = await request<null>(`api/${action}`, {
    body: { portfolioId, accountId },
    ...(needsCode(action, value.value) && { headers: confirmationHeaders(holdCode.value) }),
  });
  // The dialog may have been closed and another opened meanwhile.
  if (asking.value !== own) return;
  holdCode.value = '';
  if (answer.kind === 'refused' && answer.field === CODE_FIELD) {
    asking.value = { action, answer, stage: 'filling' };
    return;
  }
  const answered: Asking = { action, answer, stage: 'answered' };
  asking.value = answered;
  while (asking.value === answered && !isDone(action, record.value?.value)) {
    await lookAgain();
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** By the daemon's own record. */
export function isDone(action: Action, of: PortfolioRecord | undefined): boolean {
  switch (action) {
    case 'pause':
      return of?.paused !== undefined;
    case 'resume':
      return of !== undefined && of.paused === undefined;
    case 'cancel':
      return of?.portfolioStatus === CANCELLED || of?.portfolioStatus === CANCELLING;
  }
}
