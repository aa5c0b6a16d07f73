// Notices for the submitter of a valid portfolio: the schedule differs from the requested one, or a field has no
// effect. Derived from the form and its plan alone, without market data.
import { isPositive, text } from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { LegPlan } from '../schedule/slice-plan.ts';
import type { LegForm, PortfolioForm } from '../terms/form.ts';
import type { LegSpec, PortfolioSpec } from '../terms/spec.ts';
import type { Finding } from './verdict.ts';

export interface NoticeQuestion {
  readonly form: PortfolioForm;
  readonly spec: PortfolioSpec;
  /** Of the legs, in order; plans are absent if only fills decide when a part begins. */
  readonly instruments: readonly Instrument[];
  readonly plans: readonly LegPlan[];
}

/** Warnings and notes, leg by leg. */
export function noticesOf({ form, spec, instruments, plans }: NoticeQuestion): readonly Finding[] {
  return spec.legs.flatMap((leg, index) => {
    const plan = plans[index];
    const instrument = must(instruments[index], `leg ${index} has an instrument`);
    const asked = must(form.legs[index], `leg ${index} was asked for`);
    const found = [
      ...(plan === undefined || leg.hedge ? [] : paceNotice({ spec, leg, plan, instrument })),
      ...placeholderNotice(leg),
      ...unusedNotice(asked),
    ];
    return found.map((one): Finding => ({ ...one, leg: index }));
  });
}

type Notice = Omit<Finding, 'leg'>;

interface Paced {
  readonly spec: PortfolioSpec;
  readonly leg: LegSpec;
  readonly plan: LegPlan;
  readonly instrument: Instrument;
}

/** Fewer slices than `frequencySec` yields, because none may be below the instrument's minimum. */
function paceNotice({ spec, leg, plan, instrument }: Paced): readonly Notice[] {
  const { durationMs, frequencyMs } = spec;
  const wanted = Math.ceil(durationMs / frequencyMs);
  if (plan.slices >= wanted) return [];
  const everySec = seconds(durationMs / plan.slices);
  const smallest = `lots of ${text(instrument.amountStep)}, at least ${text(instrument.minAmount)} an order`;
  const count =
    plan.slices === 1 ? 'a single slice' : `${plan.slices} slices, one every ${everySec} s`;
  const message =
    `frequencySec ${seconds(frequencyMs)} is not possible: ${text(leg.quantity)} of ${leg.instrument} ` +
    `(${smallest}) makes ${count}, instead of ${wanted}`;
  return [{ kind: 'warning', about: 'schedule', message }];
}

const seconds = (ms: number): string => String(Number((ms / 1_000).toFixed(1)));

function placeholderNotice({ pricing }: LegSpec): readonly Notice[] {
  if (pricing.type !== 'dynamic' || pricing.worst !== undefined) return [];
  const message =
    `priceOptions.price ${text(pricing.price)} of a DYNAMIC leg is a placeholder without effect, not a cap; ` +
    'priceOptions.worst caps what is paid';
  return [{ kind: 'note', about: 'price', message }];
}

function unusedNotice({ priceOptions }: LegForm): readonly Notice[] {
  const { priceType, dynamicPriceStrategy, dynamicPriceOffset } = priceOptions;
  if (priceType === 'dynamic') return [];
  const hasOffset = dynamicPriceOffset !== undefined && !dynamicPriceOffset.isZero();
  const unused = [
    ...(dynamicPriceStrategy === undefined ? [] : ['dynamicPriceStrategy']),
    ...(hasOffset ? ['dynamicPriceOffset'] : []),
    ...(priceType === 'market' && priceOptions.price !== undefined && isPositive(priceOptions.price)
      ? ['price']
      : []),
  ];
  if (unused.length === 0) return [];
  const names = unused.map((name) => `priceOptions.${name}`).join(', ');
  const message = `no effect with priceType ${priceType.toUpperCase()}: ${names}`;
  return [{ kind: 'warning', about: 'price', message }];
}
