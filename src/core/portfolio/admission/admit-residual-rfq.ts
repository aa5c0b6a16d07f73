// The rules of `endAction: rfq`: a price limit that is meaningful for any residual, legs that fit one RFQ, and an
// account that may create RFQs.
import { isPositive, text } from '../../../values/amounts.ts';
import { isCombo } from '../../../values/instrument.ts';
import { type Rejection, reject } from '../../rejection.ts';
import type { EndRfq, ExecutionForm } from '../../terms/execution.ts';
import type { PortfolioForm } from '../../terms/form.ts';
import type { AdmitContext } from './admit-context.ts';
import type { AdmittedLeg } from './admit-leg.ts';

interface Tools {
  /** Legs that passed their own rules. */
  readonly legs: readonly AdmittedLeg[];
  readonly context: AdmitContext;
  readonly faults: Rejection[];
}

type Complain = (field: string, message: string) => void;

const DEFAULTS = {
  reference: 'mark',
  collectMs: 10_000,
  waitMs: 30_000,
  wholeOnly: false,
  makers: [],
  disclosed: true,
  fallback: 'cancel',
} as const satisfies Partial<EndRfq>;

/** An RFQ lives for 300 s; ours must be closed before that. */
const WAIT_MS = { from: 6_000, to: 290_000 };
const LIMIT_BPS_MAX = 10_000;

/** The options with their defaults; `undefined` without the end action. Faults are added to `faults`. */
export function admitResidualRfq(
  form: PortfolioForm,
  { legs, context, faults }: Tools,
): EndRfq | undefined {
  const { endAction, rfq } = form.execution;
  const complain: Complain = (field, message) => {
    faults.push(reject('invalid_parameter', `execution.${field}`, message));
  };
  if (endAction !== 'rfq') {
    if (rfq !== undefined) complain('rfq', 'is accepted only with endAction rfq');
    return undefined;
  }
  if (context.hasBlockRfqs !== true) {
    const why = `rfq: account ${form.accountId} cannot create Block RFQs`;
    complain('endAction', `${why}; accepted: cancel, market, sweep, extend`);
  }
  if (rfq === undefined) {
    complain('rfq', 'is required with endAction rfq: {limitBps} or {limitPrice}');
    return undefined;
  }
  const terms = { ...DEFAULTS, ...given(rfq) };
  checkLimit(terms, form, complain);
  checkTimes(terms, complain);
  if (legs.length === form.legs.length) checkLegs(form, legs, faults);
  return terms;
}

/** A block is priced as a whole, so none of its legs can be limited to a price of its own. */
export const worstBesideRfq = (path: string): Rejection =>
  reject(
    'invalid_parameter',
    `${path}.priceOptions.worst`,
    'does not bound the Block RFQ of endAction rfq; accepted: rfq.limitPrice or rfq.limitBps instead',
  );

const given = (rfq: NonNullable<ExecutionForm['rfq']>): Partial<EndRfq> =>
  Object.fromEntries(Object.entries(rfq).filter(([, value]) => value !== undefined));

function checkLimit(
  { limitBps, limitPrice }: EndRfq,
  { legs }: PortfolioForm,
  complain: Complain,
): void {
  if ((limitBps === undefined) === (limitPrice === undefined)) {
    return complain('rfq', 'needs one limit; accepted: either limitBps or limitPrice');
  }
  if (limitBps !== undefined && !(limitBps >= 0 && limitBps <= LIMIT_BPS_MAX)) {
    complain('rfq.limitBps', `${limitBps} is out of range; accepted: 0 to ${LIMIT_BPS_MAX}`);
  }
  if (limitPrice === undefined) return;
  if (!isPositive(limitPrice)) {
    complain('rfq.limitPrice', `${text(limitPrice)} is not a valid price; accepted: above 0`);
  }
  // How much of each leg makes one structure is known only from the residual.
  if (legs.length !== 1) {
    complain(
      'rfq.limitPrice',
      'is accepted only with a single leg; accepted for several: limitBps',
    );
  }
}

function checkTimes({ collectMs, waitMs }: EndRfq, complain: Complain): void {
  if (!(waitMs >= WAIT_MS.from && waitMs <= WAIT_MS.to)) {
    const range = `${WAIT_MS.from / 1_000} to ${WAIT_MS.to / 1_000}`;
    complain('rfq.waitSec', `${waitMs / 1_000} is out of range; accepted: ${range}`);
  }
  if (!(collectMs >= 0 && collectMs < waitMs)) {
    const accepted = `0 to below waitSec, ${waitMs / 1_000}`;
    complain('rfq.collectSec', `${collectMs / 1_000} is out of range; accepted: ${accepted}`);
  }
}

function checkLegs(form: PortfolioForm, legs: readonly AdmittedLeg[], faults: Rejection[]): void {
  const complain = (at: number, why: string): void => {
    faults.push(reject('invalid_parameter', `legs[${at}].instrument`, `with endAction rfq ${why}`));
  };
  const first = legs.find(({ spec }) => !spec.hedge)?.instrument;
  const hedges = legs.filter(({ spec }) => spec.hedge).length;
  for (const [index, { spec, instrument }] of legs.entries()) {
    const { name, quote } = instrument;
    if (isCombo(instrument))
      complain(
        index,
        `${name}, a combo, cannot be a leg of the RFQ; accepted: its legs as legs of the portfolio, or another endAction`,
      );
    if (spec.pricing.worst !== undefined) faults.push(worstBesideRfq(`legs[${index}]`));
    if (form.legs.findIndex((leg) => leg.instrument === name) < index) {
      complain(index, `${name} may be used in one leg only`);
    }
    // One hedge goes alongside the legs, and may have a different quote currency.
    if (first === undefined || quote === first.quote || (spec.hedge && hedges === 1)) continue;
    complain(
      index,
      `the legs must be priced in one currency; ${name} is in ${quote}, ${first.name} in ${first.quote}`,
    );
  }
}
