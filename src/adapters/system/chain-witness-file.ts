// The heads of the hash chains in a file alongside the ledger, with a line each time one advances. Altering the
// database does not alter the file. Only the newest head of each portfolio counts; the file is compacted when
// it grows.

import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { ChainWitness } from '../../ports/audit-reads.ts';
import type { Seal } from '../../ports/audit-seals.ts';
import { unwritable } from '../../values/errors/unwritable.ts';
import { type PortfolioId, portfolioId } from '../../values/ids.ts';

export interface ChainWitnessOptions {
  /** Created if missing, including its folder. Absent: no head is known, and nothing is written. */
  readonly path?: string;
  /** Maximum number of portfolios remembered; those that advanced longest ago are dropped first. */
  readonly portfoliosMax?: number;
  /** Called if it cannot be written; the copy in memory continues. */
  readonly onFault: (error: unknown) => void;
}

const PORTFOLIOS_MAX = 20_000;
/** Lines of the file per portfolio in it, before it is compacted. */
const LINES_EACH = 4;
const LINES_MIN = 10_000;

export class ChainWitnessFile implements ChainWitness {
  readonly #options: ChainWitnessOptions;
  /** In the order in which they advanced. */
  readonly #heads = new Map<PortfolioId, Seal>();
  #lines = 0;
  /** The file may end in the middle of a line: the next head starts a new one. */
  #isTorn = false;

  constructor(options: ChainWitnessOptions) {
    this.#options = options;
    const { path } = options;
    if (path === undefined || !existsSync(path)) return;
    const text = readFileSync(path, 'utf8');
    this.#isTorn = text !== '' && !text.endsWith('\n');
    for (const line of text.split('\n')) this.#read(line);
  }

  of(portfolio: PortfolioId): Seal | undefined {
    return this.#heads.get(portfolio);
  }

  portfolios(): Iterable<PortfolioId> {
    return this.#heads.keys();
  }

  note(portfolio: PortfolioId, seal: Seal): void {
    this.#keep(portfolio, seal);
    try {
      this.#write(`${lineOf(portfolio, seal)}\n`);
    } catch (error) {
      this.#options.onFault(unwritable(this.#options.path ?? '', error));
    }
  }

  #keep(portfolio: PortfolioId, seal: Seal): void {
    this.#heads.delete(portfolio);
    this.#heads.set(portfolio, seal);
    const [oldest] = this.#heads.keys();
    const max = this.#options.portfoliosMax ?? PORTFOLIOS_MAX;
    if (this.#heads.size > max && oldest !== undefined) this.#heads.delete(oldest);
  }

  #write(line: string): void {
    const { path } = this.#options;
    if (path === undefined) return;
    if (this.#lines === 0) mkdirSync(dirname(path), { recursive: true });
    this.#lines += 1;
    if (this.#lines <= Math.max(LINES_MIN, LINES_EACH * this.#heads.size)) {
      const text = `${this.#isTorn ? '\n' : ''}${line}`;
      // Until all of it is written, the file may end anywhere within it.
      this.#isTorn = true;
      appendFileSync(path, text, { mode: 0o600 });
      this.#isTorn = false;
      return;
    }
    const whole = [...this.#heads].map(([portfolio, seal]) => `${lineOf(portfolio, seal)}\n`);
    try {
      writeFileSync(`${path}.new`, whole.join(''), { mode: 0o600 });
    } catch (error) {
      rmSync(`${path}.new`, { force: true });
      throw error;
    }
    renameSync(`${path}.new`, path);
    this.#isTorn = false;
    this.#lines = whole.length;
  }

  /** The last line may have been cut short by a crash; its seal is then one version older. */
  #read(line: string): void {
    const found = /^(\d+) (\d+) ([0-9a-f]{64})$/.exec(line);
    if (found === null) return;
    const [, portfolio = '', version = '', hash = ''] = found;
    this.#lines += 1;
    this.#keep(portfolioId(portfolio), { version: Number(version), hash });
  }
}

const lineOf = (portfolio: PortfolioId, { version, hash }: Seal): string =>
  `${portfolio} ${version} ${hash}`;
