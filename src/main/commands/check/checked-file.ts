// What `check` reads: each file by its kind, with what is wrong in it as far as that is known without a daemon.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PortfolioForm } from '../../../core/terms/form.ts';
import { throwProgrammingError } from '../../../values/errors/programming-error.ts';
import { type Instant, isoText, later } from '../../../values/instant.ts';
import { nameTerms } from '../../../values/instrument-names.ts';
import { counted } from '../../../values/text/written-figures.ts';
import type { Config } from '../../config/config.ts';
import { loadConfig } from '../../config/load-config.ts';
import { type Fault, inOrder, type Reading } from '../../fault.ts';
import { readHolidaysFile } from '../../strategy/holidays-file.ts';
import type { FaultOf, Strategy } from '../../strategy/strategy.ts';
import { readStrategyFile, readSubmitFile } from '../../strategy/strategy-file.ts';
import { misfits } from '../../strategy/strategy-fit.ts';
import { nextDue } from '../../strategy/strategy-schedule.ts';
import { NO_STRATEGIES, nextStrategySet } from '../../strategy/strategy-set.ts';
import { readYaml } from '../../yaml-document.ts';

export type FileKind = 'configuration' | 'strategy' | 'submit body' | 'holidays';

/** What would be submitted, to ask a daemon about. */
export interface CheckedBody {
  readonly body: unknown;
  readonly form: PortfolioForm;
  readonly faultOf: FaultOf;
}

export interface CheckedFile {
  readonly path: string;
  readonly kind: FileKind;
  /** What a reader wants to know of a file without faults: when it is due, or what it configures. */
  readonly about: string;
  readonly faults: readonly Fault[];
  readonly submission?: CheckedBody | undefined;
  readonly strategy?: Pick<Strategy, 'name' | 'enabled'> | undefined;
}

interface Known {
  /** Absent if it has faults itself: then nothing is compared with it. */
  readonly config: Config | undefined;
  readonly now: Instant;
}

const isStrategyName = (name: string): boolean => /^[^.].*\.ya?ml$/s.test(name);

/** A file, or each file of a folder that the daemon would read there. */
export function checkPath(path: string, known: Known): readonly CheckedFile[] {
  const isFolder = existsSync(path) && statSync(path).isDirectory();
  if (!isFolder) return [checkFile(path, known)];
  const names = readdirSync(path).filter(isStrategyName).sort();
  if (names.length === 0) {
    const message = 'holds no .yaml file; accepted: a folder of strategies, or a file';
    return [unread(path, 'strategy', [{ source: path, field: '', message }])];
  }
  const files = names.map((name) => join(path, name));
  const strategies = files.filter((file) => kindOf(file) === 'strategy');
  const checked = checkStrategies(strategies, known);
  const others = files.filter((file) => !strategies.includes(file));
  return [...checked, ...others.map((file) => checkFile(file, known))].sort((a, b) =>
    a.path < b.path ? -1 : 1,
  );
}

/** The strategies of a folder as the daemon reads it: every .yaml file is one. */
export function checkFolder(folder: string, known: Known): readonly CheckedFile[] {
  try {
    const names = readdirSync(folder).filter(isStrategyName).sort();
    return checkStrategies(
      names.map((name) => join(folder, name)),
      known,
    );
  } catch (error) {
    throwProgrammingError(error);
    const { code } = error as NodeJS.ErrnoException;
    const message = `cannot be read (${code}); accepted: a folder of strategy files`;
    return [unread(folder, 'strategy', [{ source: folder, field: '', message }])];
  }
}

/** Strategies of one folder, in which each name may stand once. */
function checkStrategies(paths: readonly string[], known: Known): readonly CheckedFile[] {
  const readings = new Map(paths.map((path) => [path, readStrategyFile(path)]));
  const { faults } = nextStrategySet(NO_STRATEGIES, readings);
  return [...readings].map(([path, reading]) => {
    const repeated = faults.filter((fault) => fault.source === path && fault.field === 'name');
    return checkStrategy(path, reading, {
      ...known,
      more: reading.kind === 'read' ? repeated : [],
    });
  });
}

function checkFile(path: string, known: Known): CheckedFile {
  switch (kindOf(path)) {
    case 'configuration':
      return checkConfig(path).file;
    case 'holidays': {
      const reading = readHolidaysFile(path);
      if (reading.kind === 'faulty') return unread(path, 'holidays', reading.faults);
      return { path, kind: 'holidays', about: counted(reading.value.size, 'day'), faults: [] };
    }
    case 'submit body': {
      const reading = readSubmitFile(path);
      if (reading.kind === 'faulty') return unread(path, 'submit body', reading.faults);
      const { body, form, faultOf } = reading.value;
      const submission = { body, form, faultOf };
      const faults = expiryFaults(submission, {
        now: known.now,
        startsAt: form.startAt ?? known.now,
      });
      const misfit = known.config === undefined ? [] : misfits(submission, known.config);
      const about =
        form.startAt === undefined ? 'starts at once' : `starts ${isoText(form.startAt)}`;
      return { path, kind: 'submit body', about, faults: [...misfit, ...faults], submission };
    }
    case 'strategy':
      return checkStrategy(path, readStrategyFile(path), { ...known, more: [] });
  }
}

function checkStrategy(
  path: string,
  reading: Reading<Strategy>,
  { config, now, more }: Known & { readonly more: readonly Fault[] },
): CheckedFile {
  if (reading.kind === 'faulty') return unread(path, 'strategy', reading.faults);
  const strategy = reading.value;
  const { body, form, faultOf } = strategy;
  const due = strategy.schedule === undefined ? undefined : nextDue(strategy.schedule, now);
  const startsAt = form.startAt ?? due ?? now;
  const submission = { body, form, faultOf };
  const faults = [
    ...more,
    ...(config === undefined ? [] : misfits(strategy, config)),
    ...expiryFaults(submission, { now, startsAt }),
  ];
  const about = whenText(strategy, due);
  return { path, kind: 'strategy', about, faults: inOrder(faults), submission, strategy };
}

/** Names of dated instruments have their expiry in them, so that an expired one is known without a daemon. */
function expiryFaults(
  { form, faultOf }: CheckedBody,
  { now, startsAt }: { readonly now: Instant; readonly startsAt: Instant },
): readonly Fault[] {
  const endsAt = later(startsAt, (form.twapTrade?.durationSec ?? 0) * 1_000);
  return form.legs.flatMap(({ instrument }, index) => {
    const expiresAt = nameTerms(instrument)?.expiresAt;
    if (expiresAt === undefined) return [];
    const what = lapse(expiresAt, { now, startsAt, endsAt });
    if (what === undefined) return [];
    const message = `is ${JSON.stringify(instrument)}, which ${what}; ${TRADES_UNTIL_END}`;
    return [faultOf(`legs[${index}].instrument`, message)];
  });
}

const TRADES_UNTIL_END =
  'accepted: an instrument that trades until the end, or a choice such as BTC-{>=20d}';

/** How the instrument ends too early; `undefined` if it does not. */
function lapse(
  expiresAt: Instant,
  of: { readonly now: Instant; readonly startsAt: Instant; readonly endsAt: Instant },
): string | undefined {
  if (expiresAt <= of.now) return `expired on ${minuteText(expiresAt)}`;
  if (expiresAt <= of.startsAt) {
    return `expires on ${minuteText(expiresAt)}, before the start on ${minuteText(of.startsAt)}`;
  }
  if (expiresAt >= of.endsAt) return undefined;
  return `expires on ${minuteText(expiresAt)}, before the end on ${minuteText(of.endsAt)}`;
}

const minuteText = (at: Instant): string => `${isoText(at).slice(0, 16).replace('T', ' ')} UTC`;

export interface CheckedConfig {
  readonly file: CheckedFile;
  readonly config: Config | undefined;
  /** Secrets that this environment lacks, which is not a fault of the file. */
  readonly notes: readonly Fault[];
}

export function checkConfig(path: string): CheckedConfig {
  const notes: Fault[] = [];
  const reading = loadConfig(path, { onUnset: (note) => notes.push(note) });
  if (reading.kind === 'faulty') {
    return { file: unread(path, 'configuration', reading.faults), config: undefined, notes };
  }
  const { accounts, keys, venues } = reading.value;
  const kinds = Object.entries(venues).map(([name, { kind }]) => `${name} (${kind})`);
  const about = `venues ${kinds.join(', ')}; ${counted(accounts.length, 'account')}, ${counted(keys.length, 'key')}`;
  const file: CheckedFile = { path, kind: 'configuration', about, faults: [] };
  return { file, config: reading.value, notes };
}

const unread = (path: string, kind: FileKind, faults: readonly Fault[]): CheckedFile => ({
  path,
  kind,
  about: '',
  faults,
});

/** By the fields that a file begins with; what cannot be read counts as a strategy, whose faults are then reported. */
function kindOf(path: string): FileKind {
  let text: string;
  try {
    if (!statSync(path).isFile()) return 'strategy';
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throwProgrammingError(error);
    return 'strategy';
  }
  const document = readYaml(text, path);
  const value = document.kind === 'read' ? document.value.value : undefined;
  const has = (name: string): boolean =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  if (has('portfolio') || has('schedule')) return 'strategy';
  if (has('legs') || has('portfolioType')) return 'submit body';
  if (has('days')) return 'holidays';
  return CONFIG_SECTIONS.some(has) ? 'configuration' : 'strategy';
}

const CONFIG_SECTIONS = ['venues', 'service', 'keys', 'accounts', 'gateway', 'engine', 'limits'];

function whenText({ schedule, enabled }: Strategy, due: Instant | undefined): string {
  if (schedule === undefined) return 'submitted manually';
  if (schedule.kind === 'start') return enabled ? 'at every start' : 'at every start; not enabled';
  const when = due === undefined ? 'its time has passed' : `next ${isoText(due)}`;
  return enabled ? when : `${when}; not enabled`;
}
