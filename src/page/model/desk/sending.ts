// An action of the desk between its first press and its outcome. Its key is made when its dialog opens, so that asking again
// is the same request; it counts as done only once the daemon's own records say so.
import { signal } from '@preact/signals';
import type { Answer } from '../../link/page-session.ts';
import { entryCode, entryHeaders, needsCodeAfter } from '../entry-code.ts';

export interface DeskAction {
  readonly title: string;
  /** What will happen, in sentences. */
  readonly effects: readonly string[];
  /** Further sentences that have to be requested; added once they are known. */
  readonly further?: () => Promise<readonly string[]>;
  readonly act: string;
  /** It takes something back. */
  readonly isStop?: boolean;
  readonly send: (request: DeskRequest) => Promise<Answer<unknown>>;
  /** What the daemon's records say of it, for its answer; `undefined` while they say nothing. */
  readonly outcome: (value: unknown) => string | undefined;
}

export interface DeskRequest {
  readonly key: string;
  /** With the code, if one was requested. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Sending {
  readonly action: DeskAction;
  readonly key: string;
  readonly stage: 'filling' | 'asked' | 'answered';
  readonly answer?: Answer<unknown>;
  readonly needsCode: boolean;
}

export const sending = signal<Sending | undefined>(undefined);

export function openAction(action: DeskAction): void {
  entryCode.value = '';
  const key = crypto.randomUUID();
  sending.value = { action, key, stage: 'filling', needsCode: false };
  void action.further?.().then((sentences) => {
    const now = sending.value;
    if (now?.key !== key) return;
    const effects = [...action.effects, ...sentences];
    sending.value = { ...now, action: { ...now.action, effects } };
  });
}

export function closeAction(): void {
  sending.value = undefined;
}

/** Sent once for each press; the button is locked until there is an answer. */
export async function sendAction(): Promise<void> {
  const now = sending.value;
  if (now === undefined || now.stage === 'asked') return;
  const { key } = now;
  sending.value = { ...now, stage: 'asked' };
  const answer = await now.action.send({ key, headers: entryHeaders(now.needsCode) });
  if (sending.value?.key !== key) return;
  const { action } = sending.value;
  entryCode.value = '';
  sending.value = {
    action,
    key,
    answer,
    stage: answer.kind === 'refused' ? 'filling' : 'answered',
    needsCode: needsCodeAfter(answer, now.needsCode),
  };
}
