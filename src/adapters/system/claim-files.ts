// One-time keys in files, for a process without a ledger: an exchange that runs alone. A claim is in the file of the period in which
// it ends; a file is removed when all its claims have ended. A written claim survives the end of any process; a power failure may
// lose those of the last moment, as it may lose what the exchange's journal has not flushed.

import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { CLAIM_MS_MAX, type ClaimStore, claimTooLong } from '../../ports/deployment/claim-store.ts';
import { nulRefusal } from '../../ports/ledger.ts';
import { unwritable } from '../../values/errors/unwritable.ts';
import { type Instant, instant } from '../../values/instant.ts';

export interface ClaimFilesOptions {
  /** Created if missing. Written by one process at a time. */
  readonly folder: string;
  readonly now: () => Instant;
}

interface Period {
  readonly path: string;
  readonly ends: Map<string, Instant>;
  /** Opened at the first claim. */
  file: number | undefined;
  /** The file may end in the middle of a line: the next claim starts a new one. */
  isTorn: boolean;
}

/** As long as the longest claim: only this period and the next have live claims. */
const PERIOD_MS = CLAIM_MS_MAX;
const FILE_NAME = /^claims-(?<period>\d{1,15})\.jsonl$/;

const periodOf = (at: Instant): number => Math.floor(at / PERIOD_MS);

export class ClaimFiles implements ClaimStore {
  readonly #folder: string;
  readonly #now: () => Instant;
  readonly #periods = new Map<number, Period>();

  constructor({ folder, now }: ClaimFilesOptions) {
    this.#folder = folder;
    this.#now = now;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) {
      const period = FILE_NAME.exec(name)?.groups?.['period'];
      if (period !== undefined) this.#read(Number(period));
    }
    this.#removeBefore(periodOf(now()));
  }

  /** Written when it resolves. Rejects with the error of the file system if it cannot be; the key may then be claimed. */
  claimOnce(key: string, until: Instant): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const now = this.#now();
      if (until - now > CLAIM_MS_MAX) return reject(claimTooLong(until));
      const refusal = nulRefusal(key);
      if (refusal !== undefined) return reject(refusal);
      this.#removeBefore(periodOf(now));
      for (const { ends } of this.#periods.values()) {
        const held = ends.get(key);
        if (held !== undefined && held > now) return resolve(false);
      }
      this.#append(key, until);
      resolve(true);
    });
  }

  close(): void {
    for (const period of this.#periods.values()) leave(period);
    this.#periods.clear();
  }

  #append(key: string, until: Instant): void {
    const period = this.#period(periodOf(until));
    period.file ??= openSync(period.path, 'a', 0o600);
    const line = Buffer.from(`${period.isTorn ? '\n' : ''}${JSON.stringify([until, key])}\n`);
    // Until all of it is written, the file may end anywhere within it.
    period.isTorn = true;
    try {
      for (let at = 0; at < line.length; ) at += writeSync(period.file, line, at);
    } catch (error) {
      throw unwritable(period.path, error);
    }
    period.isTorn = false;
    period.ends.set(key, until);
  }

  #period(number: number): Period {
    const known = this.#periods.get(number);
    if (known !== undefined) return known;
    const path = join(this.#folder, `claims-${number}.jsonl`);
    const period: Period = { path, ends: new Map(), file: undefined, isTorn: false };
    this.#periods.set(number, period);
    return period;
  }

  #read(number: number): void {
    const period = this.#period(number);
    const lines = readFileSync(period.path, 'utf8').split('\n');
    period.isTorn = lines.pop() !== '';
    for (const line of lines) {
      const claim = readClaim(line);
      if (claim !== undefined) period.ends.set(claim.key, claim.until);
    }
  }

  #removeBefore(current: number): void {
    for (const [number, period] of this.#periods) {
      if (number >= current) continue;
      leave(period);
      rmSync(period.path, { force: true });
      this.#periods.delete(number);
    }
  }
}

function leave(period: Period): void {
  if (period.file !== undefined) closeSync(period.file);
  period.file = undefined;
}

/** `undefined` for a line that a crash cut short: its claim was never granted. */
function readClaim(line: string): { readonly key: string; readonly until: Instant } | undefined {
  const form = /^\[(?<until>\d{1,15}),(?<key>"(?:[^"\\]|\\.)*")\]$/.exec(line)?.groups;
  if (form?.['until'] === undefined || form['key'] === undefined) return undefined;
  return { key: String(JSON.parse(form['key'])), until: instant(Number(form['until'])) };
}
