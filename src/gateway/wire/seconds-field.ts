// The seconds of a schedule in a request: documents state the widest configurable range, and admission checks
// against the range in force, so that every value out of range gets the same answer.
import {
  DEFAULT_SUBMIT_LIMITS,
  SCHEDULE_BOUNDS,
} from '../../core/portfolio/admission/submit-limits.ts';
import { wholeField } from './field-kinds.ts';

export function secondsField(name: keyof typeof SCHEDULE_BOUNDS, what: string) {
  const [min, max] = [DEFAULT_SUBMIT_LIMITS[`${name}Min`], DEFAULT_SUBMIT_LIMITS[`${name}Max`]];
  const description = `${what}; within limits.${name} of the deployment, by default ${min} to ${max}`;
  return wholeField({ ...SCHEDULE_BOUNDS[name], description, isJudgedLater: true });
}
