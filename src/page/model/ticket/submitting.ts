// One submission: its key is made when the dialog opens and stays with it until the daemon has answered, so that pressing
// again, asking again and a reload submit once. Done is what the daemon's own record of the portfolio says.
import { signal } from '@preact/signals';
import { type Answer, access, request } from '../../link/page-session.ts';
import { entryCode, entryHeaders, needsCodeAfter } from '../entry-code.ts';
import { portfolioAddress } from '../portfolio/route.ts';
import type { Body } from './form-schema.ts';
import { body, clear } from './ticket-draft.ts';

interface Submitted {
  readonly portfolioId: number;
}

export interface Submitting {
  readonly key: string;
  readonly body: Body;
  /** Findings of the verdict that have been read, by their place. */
  readonly read: readonly number[];
  readonly stage: 'filling' | 'asked' | 'submitted';
  readonly needsCode: boolean;
  readonly answer?: Answer<Submitted> | undefined;
}

export const submitting = signal<Submitting | undefined>(undefined);

const STORE = 'twapd.ticket.asked';
const LOOK_EVERY_MS = 1_000;

interface Pending {
  readonly uid: string;
  readonly key: string;
  readonly text: string;
}

const uid = (): string => (access.value.kind === 'open' ? access.value.hello.uid : '');

/** A submission of this user that has not been answered. */
function pending(): Pending | undefined {
  try {
    const found = JSON.parse(sessionStorage.getItem(STORE) ?? 'null') as Pending | null;
    return found?.uid === uid() ? found : undefined;
  } catch {
    // Unexamined: storage that is denied or holds other text has no submission of this page.
    return undefined;
  }
}

/** Whether another submission than the one on the ticket may have happened. */
export const isOtherPending = (now: Submitting): boolean => {
  const before = pending();
  return before !== undefined && before.text !== JSON.stringify(now.body);
};

/** The same ticket keeps its key while nobody knows whether it was submitted. */
export function askSubmit(): void {
  const before = pending();
  const text = JSON.stringify(body.value);
  const key = before?.text === text ? before.key : crypto.randomUUID();
  entryCode.value = '';
  submitting.value = { key, body: body.value, read: [], stage: 'filling', needsCode: false };
}

export const stopSubmit = (): void => {
  submitting.value = undefined;
};

export function markRead(at: number, isRead: boolean): void {
  const { value } = submitting;
  if (value === undefined) return;
  const others = value.read.filter((one) => one !== at);
  submitting.value = { ...value, read: isRead ? [...others, at] : others };
}

export async function sendSubmit(): Promise<void> {
  const begun = submitting.value;
  if (begun?.stage !== 'filling') return;
  const { key, body: asked } = begun;
  const pendingNow: Pending = { uid: uid(), key, text: JSON.stringify(asked) };
  sessionStorage.setItem(STORE, JSON.stringify(pendingNow));
  submitting.value = { ...begun, stage: 'asked', answer: undefined };
  const answer = await request<Submitted>('api/submit', {
    body: asked,
    headers: { 'idempotency-key': key, ...entryHeaders(begun.needsCode) },
  });
  if (answer.kind !== 'unknown') sessionStorage.removeItem(STORE);
  const { value } = submitting;
  if (value?.key !== key || value.stage !== 'asked') return;
  entryCode.value = '';
  if (answer.kind !== 'done') {
    const needsCode = needsCodeAfter(answer, value.needsCode);
    submitting.value = { ...value, stage: 'filling', answer, needsCode };
    return;
  }
  submitting.value = { ...value, stage: 'submitted', answer };
  await showOnceKnown(String(answer.value.portfolioId), key);
}

async function showOnceKnown(portfolioId: string, key: string): Promise<void> {
  while (submitting.value?.key === key && access.value.kind === 'open') {
    const answer = await request<unknown>(`api/info?portfolioId=${portfolioId}`);
    if (submitting.value?.key !== key) return;
    if (answer.kind === 'done') {
      stopSubmit();
      clear();
      location.hash = portfolioAddress(portfolioId);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
