// PT-23: which limits are others than before, said when they come into force: at a reload, and at a start with
// those that the ledger saw last, so that no change goes by unsaid however it came about; with who approved it.
import type { Ledger } from '../../ports/ledger.ts';
import type { Config } from '../config/config.ts';
import { controlLimits } from '../config/rules/control-limit-rules.ts';

export interface LimitChange {
  /** As in the configuration file, such as `controls.collar.bps`. */
  readonly option: string;
  /** Absent where there was none, or is none any more. */
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

/** What the ledger keeps; of an older version it may lack anything. */
type Kept = { readonly controls?: { readonly change?: Note } } | undefined;

export interface Approval {
  readonly approved: boolean;
  readonly author?: string;
  readonly approvedBy?: string;
  readonly reason?: string;
}

/** A note speaks for the change it came with, and for none after; nobody approves his own. */
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

  /** Says what is different from what was in force last; `by` is what brought it. */
  tell(config: Limits, by: string): Promise<void> {
    this.#told = this.#told.then(() => this.#tell(config, by)).catch(this.#parts.onFault);
    return this.#told;
  }

  async #tell({ limits, controls }: Limits, by: string): Promise<void> {
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

/** Every option that differs between two plain JSON documents, in the order of their names. */
export function changesBetween(before: unknown, after: unknown): readonly LimitChange[] {
  const [from, to] = [optionsOf(before), optionsOf(after)];
  const names = [...new Set([...from.keys(), ...to.keys()])].sort();
  return names.flatMap((option) => {
    const change = { option, from: from.get(option), to: to.get(option) };
    return JSON.stringify(change.from) === JSON.stringify(change.to) ? [] : [change];
  });
}

/** A list is one option, whatever it holds. */
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
