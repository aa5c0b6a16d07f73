// PT-23: reports which limits changed when they take effect: at a reload, and at a start compared with the
// limits last recorded in the ledger, so that every change is reported, with who approved it.
import type { Ledger } from '../../ports/ledger.ts';
import type { Config } from '../config/config.ts';
import { controlLimits } from '../config/rules/control-limit-rules.ts';

export interface LimitChange {
  /** As in the configuration file, such as `controls.collar.bps`. */
  readonly option: string;
  /** Absent if there was, or is, no such limit. */
  readonly from?: unknown;
  readonly to?: unknown;
}

type Limits = Pick<Config, 'limits' | 'controls'>;

interface Parts {
  readonly ledger: Pick<Ledger, 'getMetadata' | 'setMetadata'>;
  readonly log: { warn(what: object, message: string): void };
  readonly onFault: (error: unknown) => void;
}

const MARK = 'limits';

type Note = NonNullable<Config['controls']['change']>;

/** As stored in the ledger; a record of an older version may lack anything. */
type Kept = { readonly controls?: { readonly change?: Note } } | undefined;

export interface Approval {
  readonly approved: boolean;
  readonly author?: string;
  readonly approvedBy?: string;
  readonly reason?: string;
}

/** A note applies to the change it came with and to no later one; nobody approves their own change. */
export function approvalOf(before: Note | undefined, now: Note | undefined): Approval {
  if (now === undefined || JSON.stringify(before) === JSON.stringify(now)) {
    return { approved: false };
  }
  const { by: author, approvedBy, reason } = now;
  const isOther = approvedBy !== undefined && nameOf(approvedBy) !== nameOf(author);
  return { approved: isOther, author, reason, ...(approvedBy !== undefined && { approvedBy }) };
}

const nameOf = (text: string): string => text.trim().toLowerCase();

/** Without the note, which limits nothing. */
function limitsOf(kept: Kept): unknown {
  if (kept?.controls === undefined) return kept;
  const { change: _, ...controls } = kept.controls;
  return { ...kept, controls };
}

export class LimitChanges {
  readonly #parts: Parts;
  #told: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Reports the differences from the limits last in force; `by` is what caused the change. */
  report(config: Limits, by: string): Promise<void> {
    this.#told = this.#told.then(() => this.#reportChanges(config, by)).catch(this.#parts.onFault);
    return this.#told;
  }

  async #reportChanges({ limits, controls }: Limits, by: string): Promise<void> {
    const { ledger, log } = this.#parts;
    const { version } = controlLimits({ controls });
    const now = JSON.stringify({ limits, controls });
    const before = await ledger.getMetadata(MARK);
    if (before === now) return;
    if (before !== undefined) {
      const [was, is]: readonly Kept[] = [JSON.parse(before), JSON.parse(now)];
      const approval = approvalOf(was?.controls?.change, is?.controls?.change);
      for (const change of changesBetween(limitsOf(was), limitsOf(is))) {
        log.warn({ ...change, by, version, ...approval }, 'limit_changed');
      }
    }
    await ledger.setMetadata(MARK, now);
  }
}

/** Every option that differs between two plain JSON documents, sorted by name. */
export function changesBetween(before: unknown, after: unknown): readonly LimitChange[] {
  const [from, to] = [optionsOf(before), optionsOf(after)];
  const names = [...new Set([...from.keys(), ...to.keys()])].sort();
  return names.flatMap((option) => {
    const change = { option, from: from.get(option), to: to.get(option) };
    return JSON.stringify(change.from) === JSON.stringify(change.to) ? [] : [change];
  });
}

/** A list counts as one option. */
function optionsOf(document: unknown, under = ''): ReadonlyMap<string, unknown> {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return new Map([[under, document]]);
  }
  const found = new Map<string, unknown>();
  for (const [name, value] of Object.entries(document)) {
    const inner = optionsOf(value, under === '' ? name : `${under}.${name}`);
    for (const [option, of] of inner) found.set(option, of);
  }
  return found;
}
