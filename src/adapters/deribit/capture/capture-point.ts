// What the adapter assumes of the venue without a source, as questions that a test network can answer.
import type { Instant } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import type { Outcome, Params } from '../outcome.ts';

/**
 * A question and its answer, as the sessions of the adapter read it: numbers are the texts of their digits, and the
 * parameter that a refusal names has the name that callers of the ports know it by.
 */
export interface Answer {
  readonly method: string;
  readonly params: Params;
  readonly outcome: Outcome;
  /** How long each list was that is kept in part, by its path in the result. */
  readonly lengths?: Readonly<Record<string, number>> | undefined;
}

/**
 * `agrees`: the adapter reads it as intended. `differs`: it does not, and is to be changed. `undecided`: the answers do
 * not tell.
 */
export interface Verdict {
  readonly kind: 'agrees' | 'differs' | 'undecided';
  /** In words, for people. */
  readonly seen: string;
}

/**
 * `reads`: queries alone. `order`: orders that rest far from the market. `fill`: an order of the smallest size that fills
 * and is traded back. `protection`: a group of market-maker protection of its own.
 */
export type Needs = 'reads' | 'order' | 'fill' | 'protection';

export interface CapturePoint {
  /** Of at most 13 characters, for tables; files are called so, with hyphens. */
  readonly name: string;
  readonly assumed: string;
  /** Of the sources, the file that relies on it. */
  readonly reliesOn: string;
  readonly needs: Needs;
  /** Asks the questions in order. */
  capture(scene: CaptureScene): Promise<void>;
  /** Pure, so that kept answers can be judged again. */
  judge(answers: readonly Answer[]): Verdict;
}

/** A point that one account of a test network cannot settle. */
export interface OpenPoint {
  readonly name: string;
  readonly assumed: string;
  readonly reliesOn: string;
  readonly whyNot: string;
}

/** A buy of the smallest size. */
export interface SmallBuy {
  readonly instrument: Instrument;
  /** `far`: at half the market, where nothing fills. `crossing`: at the best ask. */
  readonly at: 'far' | 'crossing';
}

export interface CaptureScene {
  /** Of the venue, when the point was begun. */
  readonly now: Instant;
  /** A perpetual in whose currency the account has funds, or any. */
  readonly perpetual: Instrument;
  /** An instrument with a speed bump; points that need a fill are tested only where there is one. */
  readonly bumped: Instrument | undefined;
  /** Of every order of the point. */
  readonly label: string;
  /** Sends one request at once, and keeps its answer. @throws CaptureStopped for an order too many */
  request(method: string, params: Params): Promise<Outcome>;
  /** Parameters of a buy that is worth little. @throws CaptureStopped for one worth more, or without a price */
  buyParams(order: SmallBuy): Params;
}

/** Why a point cannot be tested completely. */
export class CaptureStopped extends Error {
  override readonly name = 'CaptureStopped';
}

export const fileNameOf = ({ name }: { readonly name: string }): string =>
  `${name.toLowerCase().replaceAll(' ', '-')}.json`;
