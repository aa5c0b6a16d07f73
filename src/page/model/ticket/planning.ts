// What the daemon makes of the ticket while it is written: its plan and verdict, or every fault at its field.
import { computed, effect, signal } from '@preact/signals';
import type { PlanRecord } from '../../../gateway/client/client.ts';
import { type Answer, type FieldFault, request } from '../../link/page-session.ts';
import { type Shown, shownOf } from '../panel-state.ts';
import { textAt } from './patience.ts';
import { submitting } from './submitting.ts';
import { body, draft, isUntouched, legsOf } from './ticket-draft.ts';

export interface Planning {
  /** Of the ticket as it was when it was last planned. */
  readonly answer?: Answer<PlanRecord> | undefined;
  /** The body that the answer is about. */
  readonly of?: string | undefined;
  readonly isPlanning: boolean;
  /** When the answer came, by the browser's own clock. */
  readonly atMs?: number | undefined;
  /** Why it could not be made again since; empty if it could. */
  readonly fault: string;
}

export const planning = signal<Planning>({ isPlanning: false, fault: '' });

const AFTER_MS = 400;
/** The market moves on: a plan is made again so long after the last, while the ticket is seen. */
const AGAIN_MS = 5_000;
const RETRY_MS = 2_000;

/** A ticket that nobody sees costs the daemon nothing, and what a submission is decided on stays while its dialog is open. */
const isHeld = (): boolean => document.hidden || submitting.peek() !== undefined;

const refusedFaults = computed((): readonly FieldFault[] => {
  const { answer } = planning.value;
  return answer?.kind === 'refused' ? answer.faults : [];
});

/** Faults of the answer by field, without those of fields that are still to be filled in. */
export const faults = computed(
  (): ReadonlyMap<string, string> =>
    new Map(
      refusedFaults.value
        .filter(({ field }) => !isUntouched(field))
        .map(({ field, message }) => [field, message]),
    ),
);

/** Fields that are still to be filled in: empty, and never typed in. */
export const toFill = computed((): readonly string[] => [
  ...new Set(refusedFaults.value.map(({ field }) => field).filter(isUntouched)),
]);

/** Whether the plan is of the ticket as it stands. */
export const isPlanned = computed(
  () =>
    planning.value.answer?.kind === 'done' &&
    !planning.value.isPlanning &&
    planning.value.of === JSON.stringify(body.value),
);

/** Unread while the first is made, and when it could not be made; a refusal is an answer of its own. */
export const planShown = computed((): Shown<PlanRecord> => {
  const { answer, atMs, fault } = planning.value;
  if (answer?.kind === 'done') return shownOf(answer.value, { fault, readMs: atMs });
  return { kind: 'unread', fault: answer?.kind === 'unknown' ? answer.message : '' };
});

/**
 * Plans shortly after each change, and again as the market moves while the ticket is complete and visible; one request
 * after the other. Returns how to end that.
 */
export function followPlan(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest = 0;
  let isOut = false;
  const later = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void plan(), ms);
  };
  const plan = async (): Promise<void> => {
    if (isOut) return later(AFTER_MS);
    if (isPlanned.peek() && isHeld()) return later(AGAIN_MS);
    latest += 1;
    const own = latest;
    const asked = body.value;
    isOut = true;
    const answer = await request<PlanRecord>('api/plan', { body: asked });
    isOut = false;
    // Another plan was requested meanwhile.
    if (own !== latest) return;
    // A plan that is shown stays, with its age, while it cannot be made again.
    if (isPlanned.peek() && isHeld()) return later(AGAIN_MS);
    if (isPlanned.peek() && answer.kind === 'unknown') {
      planning.value = { ...planning.peek(), fault: answer.message };
      return later(AGAIN_MS);
    }
    const atMs = performance.now();
    planning.value = { answer, of: JSON.stringify(asked), isPlanning: false, atMs, fault: '' };
    if (answer.kind === 'unknown') later(RETRY_MS);
    else if (answer.kind === 'done') later(AGAIN_MS);
  };
  const end = effect(() => {
    const asked = JSON.stringify(body.value);
    const isBegun = legsOf(draft.value).some((leg) => textAt(leg, 'instrument') !== '');
    latest += 1;
    clearTimeout(timer);
    const { answer, of, atMs, fault } = planning.peek();
    if (!isBegun) planning.value = { isPlanning: false, fault: '' };
    else if (asked !== of || answer?.kind !== 'done') {
      planning.value = { answer, of, atMs, isPlanning: true, fault };
      later(AFTER_MS);
    } else {
      planning.value = { answer, of, atMs, isPlanning: false, fault };
      later(AGAIN_MS);
    }
  });
  return () => {
    end();
    latest += 1;
    clearTimeout(timer);
  };
}
