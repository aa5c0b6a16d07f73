// What the daemon makes of the ticket while it is written: its plan and verdict, or every fault at its field.
import { computed, effect, signal } from '@preact/signals';
import type { PlanRecord } from '../../../gateway/client/client.ts';
import { type Answer, request } from '../../link/page-session.ts';
import { body, draft, legsOf } from './ticket-draft.ts';

export interface Planning {
  /** Of the ticket as it was when it was last planned. */
  readonly answer?: Answer<PlanRecord> | undefined;
  /** The body that the answer is about. */
  readonly of?: string | undefined;
  readonly isPlanning: boolean;
}

export const planning = signal<Planning>({ isPlanning: false });

const AFTER_MS = 400;
const RETRY_MS = 2_000;

/** Faults of the answer by field. */
export const faults = computed((): ReadonlyMap<string, string> => {
  const { answer } = planning.value;
  if (answer?.kind !== 'refused') return new Map();
  return new Map(answer.faults.map(({ field, message }) => [field, message]));
});

/** Whether the plan is of the ticket as it stands. */
export const isPlanned = computed(
  () =>
    planning.value.answer?.kind === 'done' &&
    !planning.value.isPlanning &&
    planning.value.of === JSON.stringify(body.value),
);

/** Plans shortly after each change, one request after the other; returns how to end that. */
export function followPlan(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest = 0;
  const later = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void plan(), ms);
  };
  const plan = async (): Promise<void> => {
    latest += 1;
    const own = latest;
    const asked = body.value;
    const answer = await request<PlanRecord>('api/plan', { body: asked });
    // Another plan was asked for meanwhile.
    if (own !== latest) return;
    planning.value = { answer, of: JSON.stringify(asked), isPlanning: false };
    if (answer.kind === 'unknown') later(RETRY_MS);
  };
  const end = effect(() => {
    const asked = JSON.stringify(body.value);
    const hasLegs = legsOf(draft.value).length > 0;
    latest += 1;
    clearTimeout(timer);
    const { answer, of } = planning.peek();
    if (!hasLegs) planning.value = { isPlanning: false };
    else if (asked !== of || answer?.kind !== 'done') {
      planning.value = { answer, of, isPlanning: true };
      later(AFTER_MS);
    } else planning.value = { answer, of, isPlanning: false };
  });
  return () => {
    end();
    latest += 1;
    clearTimeout(timer);
  };
}
