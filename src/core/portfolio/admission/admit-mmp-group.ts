// The rule of `execution.mmpGroup`: the group must be configured for the index of every leg. A group that protects
// nothing is refused, because the submitter relies on the protection.
import { GROUP_LENGTH_MAX } from '../../mmp/mmp-config.ts';
import { type Rejection, reject } from '../../rejection.ts';
import type { PortfolioForm } from '../../terms/form.ts';
import type { AdmitContext } from './admit-context.ts';
import type { AdmittedLeg } from './admit-leg.ts';

interface Tools {
  readonly legs: readonly AdmittedLeg[];
  readonly context: AdmitContext;
  readonly faults: Rejection[];
}

export function admitMmpGroup(form: PortfolioForm, { legs, context, faults }: Tools): void {
  const group = form.execution.mmpGroup;
  if (group === undefined) return;
  const field = 'execution.mmpGroup';
  const length = [...group].length;
  if (length < 1 || length > GROUP_LENGTH_MAX) {
    const message = `has ${length} characters; accepted: 1 to ${GROUP_LENGTH_MAX}`;
    faults.push(reject('invalid_parameter', field, message));
    return;
  }
  if (context.mmpIndexOf === undefined) return;
  const index = context.mmpIndexOf(group);
  if (index === undefined) {
    const message = `${group} is not configured for this account; accepted: a group of set_mmp_config`;
    faults.push(reject('invalid_parameter', field, message));
    return;
  }
  const other = legs.find(({ instrument }) => instrument.indexName !== index);
  if (other === undefined) return;
  const { name, indexName } = other.instrument;
  const message = `${group} protects ${index}, and ${name} is on ${indexName}; accepted: legs on ${index}`;
  faults.push(reject('invalid_parameter', field, message));
}
