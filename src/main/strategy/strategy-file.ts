// Reads one strategy file, or a bare submit body, and reports every fault with its line.

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { PortfolioForm } from '../../core/terms/form.ts';
import { CHOICE_ACCEPTED, isChoice, parseChoice } from '../../core/terms/instrument-choice.ts';
import { portfolioBodySchema } from '../../gateway/portfolios/submit/submit-schema.ts';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';
import { type Fault, faulty, inOrder, type Reading } from '../fault.ts';
import { checkDocument, checkPart, faultAt } from '../schema-faults.ts';
import { readYaml, type YamlDocument } from '../yaml-document.ts';
import { type ReadDocument, readFolderDocument, STRATEGY_ACCEPTED } from './folder-document.ts';
import { type Holidays, readHolidaysFile } from './holidays-file.ts';
import { plainBody } from './plain-body.ts';
import type { FaultOf, Strategy } from './strategy.ts';
import { type StrategyFile, scheduleOf, strategySchema } from './strategy-schema.ts';

type Path = readonly PropertyKey[];

/** Reads a file of the strategies folder, which others may be able to write to. */
export function readStrategyFile(
  path: string,
  read: ReadDocument = readFolderDocument,
): Reading<Strategy> {
  const document = read(path, STRATEGY_ACCEPTED);
  return document.kind === 'faulty' ? document : readStrategy(document.value, read);
}

export interface Submission {
  readonly body: unknown;
  readonly form: PortfolioForm;
  /** A fault that a daemon found in the body, with its place in the file; `field` such as `legs[0].quantity`. */
  readonly faultOf: FaultOf;
  /** From a strategy file; a bare submit body has none. */
  readonly strategy?: Pick<Strategy, 'schedule' | 'enabled'>;
}

/** Reads the body to submit, from a strategy file or from a bare submit body. */
export function readSubmitFile(path: string): Reading<Submission> {
  const document = readFile(path);
  if (document.kind === 'faulty') return document;
  const { value } = document.value;
  if (typeof value === 'object' && value !== null && 'portfolio' in value) {
    const strategy = readStrategy(document.value);
    if (strategy.kind === 'faulty') return strategy;
    const { body, form, faultOf } = strategy.value;
    return { kind: 'read', value: { body, form, faultOf, strategy: strategy.value } };
  }
  const own = (inBody: Path): Path => inBody;
  const read = checkBody(value, document.value, own);
  if (read.kind === 'faulty') return read;
  return {
    kind: 'read',
    value: { ...read.value, faultOf: placeIn(document.value, own) },
  };
}

const placeIn =
  (document: YamlDocument, path: (inBody: Path) => Path): FaultOf =>
  (field, message) =>
    faultAt(document, path(stepsOf(field)), message);

/** Checks a body once it is translated; of a text that cannot be translated only that is reported. */
function checkBody(
  written: unknown,
  document: YamlDocument,
  path: (inBody: Path) => Path,
): Reading<Pick<Strategy, 'form' | 'body'>> {
  const body = plainBody(portfolioBodySchema, written);
  const form = checkPart(portfolioBodySchema, document, { value: body.value, path });
  const faults = body.faults.map((fault) => faultAt(document, path(fault.path), fault.message));
  if (form.kind === 'read' && faults.length === 0) {
    return { kind: 'read', value: { form: form.value, body: body.value } };
  }
  const named = new Set(faults.map(({ field }) => field));
  const others = faultsOf(form).filter(({ field }) => !named.has(field));
  return faulty(inOrder([...faults, ...others]));
}

/** `legs[0].quantity` as `['legs', 0, 'quantity']`. */
const stepsOf = (field: string): Path =>
  [...field.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([step, index]) =>
    index === undefined ? step : Number(index),
  );

function readFile(path: string): Reading<YamlDocument> {
  try {
    return readYaml(readFileSync(path, 'utf8'), path);
  } catch (error) {
    throwProgrammingError(error);
    const { code } = error as NodeJS.ErrnoException;
    const message = `cannot be read (${code}); accepted: a YAML or JSON file`;
    return faulty([{ source: path, field: '', message }]);
  }
}

function readStrategy(
  document: YamlDocument,
  read: ReadDocument = readFolderDocument,
): Reading<Strategy> {
  const frame = checkDocument(strategySchema, document);
  const whole = frame.kind === 'read' ? frame.value : document.value;
  const form = readBody(whole as WrittenFile, document);
  if (frame.kind === 'faulty' || form.kind === 'faulty') {
    return faulty(inOrder([...faultsOf(frame), ...faultsOf(form)]));
  }
  const file = frame.value;
  const holidays = readHolidays(file, document, read);
  if (holidays.kind === 'faulty') return holidays;
  return {
    kind: 'read',
    value: {
      name: file.name,
      description: file.description,
      enabled: file.enabled,
      schedule: scheduleOf(file, holidays.value),
      missedWithinMs: file.missed.withinSec * 1_000,
      ...form.value,
      faultOf: placeIn(document, pathInFile(whole as WrittenFile)),
      path: document.source,
    },
  };
}

/** Reads the holidays that the schedule names, if any; a path is relative to the strategy's own file. */
function readHolidays(
  { schedule }: StrategyFile,
  document: YamlDocument,
  read: ReadDocument,
): Reading<Holidays | undefined> {
  if (schedule === undefined || !('cron' in schedule) || schedule.holidays === undefined) {
    return { kind: 'read', value: undefined };
  }
  const path = resolve(dirname(document.source), schedule.holidays);
  const reading = readHolidaysFile(path, read);
  if (reading.kind === 'read') return reading;
  // The faults are in the other file; the line that names it is reported too.
  const message = `${JSON.stringify(schedule.holidays)} has faults`;
  return faulty([faultAt(document, ['schedule', 'holidays'], message), ...reading.faults]);
}

/** The fields needed to check the body, even if the frame around it has faults. */
interface WrittenFile {
  readonly name?: unknown;
  readonly portfolio?: unknown;
  readonly execution?: unknown;
}

function readBody(
  file: WrittenFile | null,
  document: YamlDocument,
): Reading<Pick<Strategy, 'form' | 'body'>> {
  const portfolio = file?.portfolio;
  if (typeof portfolio !== 'object' || portfolio === null) return faulty([]);
  if (file?.execution !== undefined && 'execution' in portfolio) {
    const message = 'is in the portfolio too; accepted: one of them';
    return faulty([faultAt(document, ['execution'], message)]);
  }
  const body = bodyOf(portfolio, file);
  const checked = checkBody(body, document, pathInFile(file));
  const choices = choiceFaults(body, document);
  return choices.length === 0 ? checked : faulty([...faultsOf(checked), ...choices]);
}

/** Where a strategy file has the fields of the submit body. */
const pathInFile =
  (file: WrittenFile | null) =>
  (inBody: Path): Path =>
    inBody[0] === 'execution' && file?.execution !== undefined ? inBody : ['portfolio', ...inBody];

/** Portfolios are labelled with the name of their strategy unless the file specifies a label. */
function bodyOf(portfolio: object, file: WrittenFile | null): Readonly<Record<string, unknown>> {
  const label = typeof file?.name === 'string' ? { strategy: file.name } : {};
  const execution = file?.execution === undefined ? {} : { execution: file.execution };
  return { ...label, ...portfolio, ...execution };
}

const faultsOf = (reading: Reading<unknown>): readonly Fault[] =>
  reading.kind === 'faulty' ? reading.faults : [];

function choiceFaults(
  body: Readonly<Record<string, unknown>>,
  document: YamlDocument,
): readonly Fault[] {
  const legs: readonly unknown[] = Array.isArray(body['legs']) ? body['legs'] : [];
  return legs.flatMap((leg, index) => {
    const name = (leg as { readonly instrument?: unknown } | null)?.instrument;
    if (typeof name !== 'string' || !isChoice(name) || parseChoice(name) !== undefined) return [];
    const message = `is ${JSON.stringify(name)}; ${CHOICE_ACCEPTED}`;
    return [faultAt(document, ['portfolio', 'legs', index, 'instrument'], message)];
  });
}
