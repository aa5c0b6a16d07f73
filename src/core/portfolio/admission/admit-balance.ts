// The rules of a BALANCE portfolio: how it is cut into parts, which leg leads, and which execution options can have
// an effect without a clock schedule.
import { isCombo } from '../../../values/instrument.ts';
import { type Rejection, reject } from '../../rejection.ts';
import type { Execution, ExecutionForm } from '../../terms/execution.ts';
import type { PortfolioForm } from '../../terms/form.ts';
import type { BalanceSpec, PortfolioSpec } from '../../terms/spec.ts';
import { partsMax } from '../aggregate/part-target.ts';
import type { AdmittedLeg } from './admit-leg.ts';

const PARTS_MAX = 1_000;
export const EACH_MS_MIN = 1_000;
const EACH_MS_MAX = 86_400_000;
export const TOTAL_MS_MAX = 7 * 86_400_000;

/** Options that control child pricing; all others require a clock schedule. */
export const PART_OPTIONS: ReadonlySet<string> = new Set([
  'collar',
  'slippageMaxBps',
  'spreadMaxBps',
  'spreadMaxVol',
  'bandBps',
  'mmpGroup',
  'partTimeout',
] satisfies readonly (keyof ExecutionForm | 'mmpGroup')[]);

type Timing = Pick<PortfolioSpec, 'durationMs' | 'frequencyMs'> & {
  readonly balance: BalanceSpec;
};

/** The cut and its time limits; `undefined` if there is nothing valid to check further. */
export function admitBalance(form: PortfolioForm, faults: Rejection[]): Timing | undefined {
  const complain = complainer(faults);
  checkOptions(form, faults);
  if (form.twapTrade !== undefined)
    complain('twapTrade', 'is accepted only with portfolioType TWAP');
  const { balanceTrade } = form;
  if (balanceTrade === undefined) {
    const fields = '{parts, eachLimitMs, totalLimitMs, totalEndAction}';
    complain('balanceTrade', `is required for BALANCE: ${fields}`);
    return undefined;
  }
  const { parts, eachLimitMs, totalLimitMs } = balanceTrade;
  checkRange(faults, 'parts', parts, { from: 1, to: PARTS_MAX });
  checkRange(faults, 'eachLimitMs', eachLimitMs, { from: EACH_MS_MIN, to: EACH_MS_MAX });
  if (totalLimitMs !== 0) {
    checkRange(faults, 'totalLimitMs', totalLimitMs, { from: EACH_MS_MIN, to: TOTAL_MS_MAX });
  }
  const partTimeout = form.execution.partTimeout ?? 'chase';
  return {
    durationMs: totalLimitMs,
    frequencyMs: eachLimitMs,
    balance: { parts, eachLimitMs, totalLimitMs, partTimeout },
  };
}

const complainer =
  (faults: Rejection[]) =>
  (field: string, message: string): void => {
    faults.push(reject('invalid_parameter', field, message));
  };

function checkRange(
  faults: Rejection[],
  name: string,
  value: number,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  if (Number.isInteger(value) && value >= from && value <= to) return;
  const zero = name === 'totalLimitMs' ? '0 (no limit) or ' : '';
  const message = `${value} is out of range; accepted: ${zero}whole numbers from ${from} to ${to}`;
  const kind = name === 'parts' ? 'invalid_parameter' : 'time_out_of_range';
  faults.push(reject(kind, `balanceTrade.${name}`, message));
}

function checkOptions({ execution }: PortfolioForm, faults: Rejection[]): void {
  for (const [name, value] of Object.entries(execution)) {
    if (value === undefined || PART_OPTIONS.has(name)) continue;
    const why =
      name === 'endAction'
        ? 'is set by balanceTrade.totalEndAction for BALANCE; accepted: omit it'
        : `has no effect with BALANCE; accepted: ${[...PART_OPTIONS].join(', ')}`;
    complainer(faults)(`execution.${name}`, why);
  }
}

/** Maps the interface's end action to the execution options. */
export const balanceExecution = (execution: Execution, form: PortfolioForm): Execution => ({
  ...execution,
  endAction: form.balanceTrade?.totalEndAction === 'fill_by_market' ? 'market' : 'cancel',
});

/** The rules between cut and legs; `legs` are those that passed their own rules, by index. */
export function admitParts(
  form: PortfolioForm,
  legs: readonly (AdmittedLeg | undefined)[],
  faults: Rejection[],
): void {
  const complain = complainer(faults);
  const isBalance = form.portfolioType === 'BALANCE';
  if (!isBalance && form.balanceTrade !== undefined) {
    complain('balanceTrade', 'is accepted only with portfolioType BALANCE');
  }
  if (!isBalance && form.execution.partTimeout !== undefined) {
    complain('execution.partTimeout', 'is accepted only with portfolioType BALANCE');
  }
  const leader = form.legs.findIndex((leg) => leg.priority);
  for (const [index, { priority, hedge }] of form.legs.entries()) {
    const at = `legs[${index}]`;
    if (priority && !isBalance)
      complain(`${at}.priority`, 'is accepted only with portfolioType BALANCE');
    if (priority && hedge)
      complain(`${at}.priority`, 'cannot be combined with hedge, which follows the other legs');
    if (priority && leader < index) {
      complain(
        `${at}.priority`,
        `legs[${leader}] already leads; accepted: at most one leading leg`,
      );
    }
    const instrument = legs[index]?.instrument;
    if (isBalance && instrument !== undefined && isCombo(instrument)) {
      complain(
        `${at}.instrument`,
        `${instrument.name}, a combo, is not available with BALANCE; accepted: TWAP, or its legs as legs of the BALANCE`,
      );
    }
    if (isBalance && !hedge) checkCut(form, { leg: legs[index], at }, complain);
  }
}

function checkCut(
  { balanceTrade }: PortfolioForm,
  { leg, at }: { readonly leg: AdmittedLeg | undefined; readonly at: string },
  complain: (field: string, message: string) => void,
): void {
  if (leg === undefined || balanceTrade === undefined) return;
  const most = partsMax(leg.spec.quantity, leg.instrument);
  if (balanceTrade.parts <= most) return;
  const why = `${at} (${leg.instrument.name}) can be cut into ${most} at most`;
  complain('balanceTrade.parts', `${balanceTrade.parts} is too many: ${why}`);
}

/** A portfolio without a total limit ends at the first expiry among its legs, if any. */
export function untilExpiry(spec: PortfolioSpec, legs: readonly AdmittedLeg[]): PortfolioSpec {
  if (spec.balance === undefined || spec.durationMs > 0) return spec;
  const expiries = legs.flatMap(({ instrument: { expiresAt } }) => expiresAt ?? []);
  if (expiries.length === 0) return spec;
  return { ...spec, durationMs: Math.min(...expiries) - spec.startAt };
}
