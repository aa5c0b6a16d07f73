// An amendment as one writes it: every change is previewed by the daemon, and made once, on the figures that the preview
// showed. If the portfolio has changed since, the daemon refuses and the preview is made again.

import { signal } from '@preact/signals';
import type { AmendedRecord } from '../../../gateway/client/client.ts';
import type { PortfolioRecord } from '../../../gateway/portfolios/record-schema.ts';
import { type Answer, access, request } from '../../link/page-session.ts';
import { confirmationHeaders, takesClick } from '../confirmation.ts';
import { fieldTime } from '../formatting.ts';
import { historyEvents, lookAgain, rereadFollowed } from './followed-portfolio.ts';

export const LIMITS = [
  ['maxCatchUp', 'Largest slice, multiples of the planned one'],
  ['collar', 'Collar, as a fraction of the opposite price'],
  ['slippageMaxBps', 'Largest slippage of a slice, bp'],
  ['bandBps', 'Band around the mark price, bp'],
  ['spreadMaxBps', 'Widest spread, bp'],
  ['spreadMaxVol', 'Widest spread of options, volatility points'],
  ['participationMax', 'Largest share of the volume, as a fraction'],
] as const;
export type LimitName = (typeof LIMITS)[number][0];

export interface AmendDraft {
  /** `yyyy-mm-ddThh:mm:ss`, UTC; empty without a time limit. */
  readonly end: string;
  readonly totals: readonly string[];
  readonly limits: Readonly<Record<LimitName, string>>;
}

export interface Amending {
  readonly portfolioId: string;
  readonly accountId: string;
  readonly isBalance: boolean;
  /** As it is without the amendment; absent while it is requested. */
  readonly base?: AmendedRecord | undefined;
  readonly draft?: AmendDraft | undefined;
  /** Of the draft. */
  readonly preview?: Answer<AmendedRecord> | undefined;
  readonly isPreviewing: boolean;
  readonly code: string;
  readonly stage: 'filling' | 'asked' | 'answered';
  readonly answer?: Answer<AmendedRecord> | undefined;
}

export const amending = signal<Amending | undefined>(undefined);

const PREVIEW_AFTER_MS = 300;
const LOOK_EVERY_MS = 2_000;
const CODE_FIELD = 'code';
let timer: ReturnType<typeof setTimeout> | undefined;
let previews = 0;

export const stopAmending = (): void => {
  amending.value = undefined;
};

export function askAmend({ portfolioId, accountId, balanceTrade }: PortfolioRecord): void {
  const isBalance = balanceTrade !== undefined;
  amending.value = {
    portfolioId,
    accountId,
    isBalance,
    isPreviewing: true,
    code: '',
    stage: 'filling',
  };
  void preview();
}

export function write(change: Partial<AmendDraft>): void {
  const { value } = amending;
  if (value?.draft === undefined || value.stage !== 'filling') return;
  const draft = { ...value.draft, ...change };
  amending.value = { ...value, draft, answer: undefined, isPreviewing: true };
  clearTimeout(timer);
  timer = setTimeout(() => void preview(), PREVIEW_AFTER_MS);
}

export function writeCode(code: string): void {
  if (amending.value !== undefined) amending.value = { ...amending.value, code };
}

/** What the daemon would make of the draft; without a draft, the portfolio as it is. */
async function preview(): Promise<void> {
  const begun = amending.value;
  if (begun === undefined) return;
  previews += 1;
  const own = previews;
  const answer = await request<AmendedRecord>('api/amend', {
    body: { ...bodyOf(begun), preview: true },
  });
  const { value } = amending;
  // Another draft was written, or another dialog opened, meanwhile.
  if (own !== previews || value?.portfolioId !== begun.portfolioId) return;
  if (value.base !== undefined || answer.kind !== 'done') {
    amending.value = { ...value, preview: answer, isPreviewing: false };
    return;
  }
  const base = answer.value;
  const draft = draftOf(base);
  amending.value = { ...value, base, draft, preview: answer, isPreviewing: false };
}

function draftOf(base: AmendedRecord): AmendDraft {
  const limits = base.limits as Readonly<Partial<Record<LimitName, string | number>>>;
  return {
    end: fieldTime(Number(base.endTimestamp)),
    totals: base.legs.map(({ quantity }) => quantity),
    limits: Object.fromEntries(
      LIMITS.map(([name]) => [name, String(limits[name] ?? '')]),
    ) as Record<LimitName, string>,
  };
}

/** Only what differs from the portfolio as it is. */
function bodyOf({ portfolioId, accountId, base, draft, preview: seen }: Amending) {
  const own = { portfolioId, accountId };
  if (base === undefined || draft === undefined) return own;
  const latest = seen?.kind === 'done' ? seen.value : base;
  const before = draftOf(base);
  const legs = draft.totals.flatMap((quantity, leg) =>
    quantity === before.totals[leg]
      ? []
      : [{ leg, quantity: quantity.trim(), filledSeen: latest.legs[leg]?.filledQuantity ?? '0' }],
  );
  const changed = LIMITS.map(([name]) => name).filter(
    (name) => draft.limits[name].trim() !== before.limits[name],
  );
  const set = changed.filter((name) => draft.limits[name].trim() !== '');
  const lift = changed.filter((name) => draft.limits[name].trim() === '');
  const execution = {
    ...Object.fromEntries(set.map((name) => [name, limitValue(name, draft.limits[name].trim())])),
    ...(lift.length > 0 && { lift }),
  };
  const endMs = Date.parse(`${draft.end}Z`);
  return {
    ...own,
    ...(draft.end !== before.end && Number.isFinite(endMs) && { endTimestamp: endMs }),
    ...(legs.length > 0 && { legs }),
    ...(changed.length > 0 && { execution, amendmentsSeen: base.amendments }),
  };
}

/** Numbers as numbers; what is none is left for the daemon to refuse. */
const limitValue = (name: LimitName, text: string): string | number =>
  name !== 'collar' && /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : text;

export const isChanged = ({ base, draft }: Amending): boolean =>
  base !== undefined &&
  draft !== undefined &&
  JSON.stringify(draft) !== JSON.stringify(draftOf(base));

/** Whether the daemon will request a fresh code: the same rule as its own. */
export function needsCode({ preview: seen, answer }: Amending): boolean {
  if (answer?.kind === 'refused' && answer.field === CODE_FIELD) return true;
  if (seen?.kind !== 'done') return false;
  const { legs, limits, limitsBefore } = seen.value;
  if (legs.some((leg) => Number(leg.quantity) > Number(leg.quantityBefore))) return true;
  return LIMITS.some(([name]) => {
    const [before, after] = [limitsBefore[name], limits[name]];
    return before !== undefined && (after === undefined || Number(after) > Number(before));
  });
}

/** Sent once; a refusal changed nothing, and is previewed again. */
export async function sendAmend(): Promise<void> {
  const begun = amending.value;
  if (begun?.stage !== 'filling' || begun.preview?.kind !== 'done' || begun.isPreviewing) return;
  amending.value = { ...begun, stage: 'asked' };
  const answer = await request<AmendedRecord>('api/amend', {
    body: bodyOf(begun),
    ...((begun.code !== '' || takesClick()) && { headers: confirmationHeaders(begun.code) }),
  });
  const { value } = amending;
  if (value?.stage !== 'asked' || value.portfolioId !== begun.portfolioId) return;
  if (answer.kind === 'refused') {
    amending.value = { ...value, answer, code: '', stage: 'filling', isPreviewing: true };
    return await preview();
  }
  amending.value = { ...value, answer, stage: 'answered' };
  while (amending.value?.stage === 'answered' && !isAmended(amending.value)) {
    await Promise.all([lookAgain(), rereadFollowed()]);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** Whether the portfolio's own history has an amendment by this user that the dialog had not seen. */
export function isAmended({ base }: Amending): boolean {
  const now = access.value;
  const uid = now.kind === 'open' ? now.hello.uid : undefined;
  return historyEvents.value.some(({ messageType, detail }) => {
    const { number, by } = (detail ?? {}) as { readonly number?: unknown; readonly by?: unknown };
    return (
      messageType === 'PORTFOLIO_AMENDED' &&
      by === uid &&
      typeof number === 'number' &&
      number > (base?.amendments ?? Infinity)
    );
  });
}
