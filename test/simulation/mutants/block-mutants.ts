// Mutants of how a residual is requested as a Block RFQ.
import { type Mutant, one } from './mutant.ts';

const inBlocks = (...given: Parameters<typeof one>): Mutant => ({
  ...one(...given),
  profile: 'blocks',
});

/** Rules that keep a residual from being traded twice, at too bad a price, or for no portfolio. */
export const BLOCKS: readonly Mutant[] = [
  inBlocks(
    'asked-once-more',
    'a Block RFQ request without a reply is sent once more',
    [
      'src/engine/residual-rfq/residual-rfq-executor.ts',
      "return this.#run(state, { kind: 'record_rfq_unknown', ...about, reason: reply.reason });",
      "return this.#run(state, { kind: 'record_rfq_refusal', ...about, code: 0, message: '', retry: true });",
    ],
    500,
  ),
  inBlocks(
    'block-at-any-price',
    'the best quote is accepted, whatever its price',
    [
      'src/core/portfolio/residual-rfq/work-residual-rfq.ts',
      'if (limit === undefined || isLess(limit, best.price)) return;',
      'if (limit === undefined) return;',
    ],
    500,
  ),
  inBlocks(
    'lost-accept-is-refused',
    'an accept without a reply counts as refused',
    [
      'src/engine/residual-rfq/residual-rfq-executor.ts',
      "return this.#run(state, { kind: 'record_accept_unknown', ...about, reason: reply.reason });",
      "return this.#run(state, { kind: 'record_accept_refusal', ...about, code: 0, message: '' });",
    ],
    5_000,
  ),
  inBlocks(
    'accepts-what-is-taken-back',
    'Block RFQ requests are sent although their portfolio is being cancelled',
    [
      'src/engine/residual-rfq/residual-rfq-executor.ts',
      "if (state.status !== 'active' || !isMeant) return notSent('it is being taken back');",
      '',
    ],
    5_000,
  ),
  inBlocks(
    'block-of-everything',
    "a Block RFQ requests a leg's whole quantity, filled or not",
    [
      'src/core/portfolio/residual-rfq/residual-rfq-size.ts',
      'return tradableRest(state, leg, smaller(open, wanted));',
      'return tradableRest(state, leg, smaller(quantity, plus(open, plus(wanted, quantity))));',
    ],
    1_000,
  ),
  inBlocks(
    'ends-beside-its-rfq',
    'a portfolio ends whatever becomes of its Block RFQ',
    [
      'src/core/portfolio/aggregate/positions.ts',
      'if (openRfq(state) !== undefined) return true;',
      '',
    ],
    500,
  ),
  inBlocks(
    'block-in-a-quiet-window',
    'a residual RFQ is sent and accepted in a blackout window',
    [
      'src/core/portfolio/residual-rfq/work-residual-rfq.ts',
      '=> isBlackout(state.spec.execution.quiet, now);',
      '=> isBlackout(undefined, now) && state.broken;',
    ],
    200,
  ),
];
