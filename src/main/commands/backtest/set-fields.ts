// `--set FIELD=VALUE`: replaces fields of the submit body of a file before it is checked and run.
import { portfolioBodySchema } from '../../../gateway/portfolios/submit/submit-schema.ts';
import { CommandFailure } from '../../command-failure.ts';
import { faultText } from '../../fault.ts';
import { checkDocument } from '../../schema-faults.ts';
import { readYaml } from '../../yaml-document.ts';
import { readOrFail } from '../files.ts';

const ACCEPTED = 'FIELD=VALUE, such as execution.randomSize=0.25 or legs[0].quantity=3';
const FIELD = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*|\[\d{1,3}\])*$/;

type Step = string | number;
type Block = Record<Step, unknown>;

/**
 * The body with the fields replaced. A value is read like one in a YAML file; where the file has text, such as an amount, it
 * is text as well.
 *
 * @throws CommandFailure where a field is written wrongly, is within something the body does not have, or makes the body invalid.
 */
export function withFields(body: unknown, settings: readonly string[]): unknown {
  if (settings.length === 0) return body;
  const changed: unknown = structuredClone(body);
  for (const setting of settings) setField(changed, setting);
  const document = readOrFail(readYaml(JSON.stringify(changed), '--set'));
  const checked = checkDocument(portfolioBodySchema, document);
  if (checked.kind === 'read') return changed;
  // Without lines: the changed body stands in no file.
  const faults = checked.faults.map(({ source, field, message }) => ({ source, field, message }));
  throw new CommandFailure('refused', faults.map(faultText));
}

function setField(body: unknown, setting: string): void {
  const at = setting.indexOf('=');
  const field = setting.slice(0, Math.max(0, at));
  if (!FIELD.test(field)) throw wrong(setting, `accepted: ${ACCEPTED}`);
  const steps = [...field.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(
    ([step, index]): Step => (index === undefined ? step : Number(index)),
  );
  const last = steps.pop() as Step;
  const parent = steps.reduce<Block>(
    (block, step) => inside(block, step, setting),
    blockOf(body, setting),
  );
  if (Array.isArray(parent) && !(last in parent)) throw absent(setting, last, parent);
  const text = setting.slice(at + 1);
  parent[last] = typeof parent[last] === 'string' ? unquoted(text) : scalarOf(text, setting);
}

/** What a step leads to; a block that the body does not have yet is added, an element of a list is not. */
function inside(block: Block, step: Step, setting: string): Block {
  if (!Object.hasOwn(block, step)) {
    if (Array.isArray(block)) throw absent(setting, step, block);
    block[step] = {};
  }
  return blockOf(block[step], setting);
}

function blockOf(value: unknown, setting: string): Block {
  if (typeof value === 'object' && value !== null) return value as Block;
  throw wrong(setting, `leads into ${JSON.stringify(value)}, which has no fields`);
}

const absent = (setting: string, step: Step, list: readonly unknown[]): CommandFailure =>
  wrong(setting, `there is no element ${step}; accepted: 0 to ${list.length - 1}`);

const unquoted = (text: string): string => /^"(.*)"$/.exec(text)?.[1] ?? text;

function scalarOf(text: string, setting: string): unknown {
  const read = readYaml(text, '--set');
  if (read.kind === 'read') return read.value.value;
  throw wrong(setting, `the value cannot be read; accepted: ${ACCEPTED}`);
}

const wrong = (setting: string, message: string): CommandFailure =>
  new CommandFailure('usage', [`--set ${JSON.stringify(setting)}: ${message}`]);
