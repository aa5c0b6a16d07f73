// Open points about the speed bump. Each sends an order that matches at once, and a second request while it waits.
import { answerOfCode } from '../../../core/order/answer-class.ts';
import type { Fields } from '../../../ports/deribit-wire/message-fields.ts';
import { whyFailed } from '../outcome.ts';
import type { Answer, CapturePoint, CaptureScene, Verdict } from './capture-point.ts';
import { agrees, answersTo, differs, ofResult, undecided } from './judging.ts';

const BUY = 'private/buy';
const EDIT = 'private/edit_by_label';
const CANCEL = 'private/cancel_by_label';
const OPEN = 'private/get_open_orders_by_instrument';

const WAITING = 'speed_bumped';

/** Both on their way before the venue has answered the first, so that the second meets the bump. */
async function whileItWaits(
  { request, buyParams, bumped }: CaptureScene,
  second: (order: Readonly<Record<string, unknown>>) => Promise<unknown>,
): Promise<void> {
  if (bumped === undefined) return;
  const order = buyParams({ instrument: bumped, at: 'crossing' });
  await Promise.all([request(BUY, order), second(order)]);
}

/** The order as the answer to it has it. */
const orderOf = (answers: readonly Answer[], judge: (order: Fields) => Verdict): Verdict =>
  ofResult(answersTo(answers, BUY)[0], (of) => judge(of.in('result').in('order')));

const edit: CapturePoint = {
  name: 'bump edit',
  assumed:
    'An edit of an order in its speed bump is refused with a text that has `speed_bumped`, and may be sent again.',
  reliesOn: 'src/core/order/answer-class.ts',
  needs: 'fill',
  capture: (scene) =>
    whileItWaits(scene, ({ label, instrument_name, amount, price }) =>
      scene.request(EDIT, { label, instrument_name, amount, price }),
    ),
  judge(answers) {
    const [answer] = answersTo(answers, EDIT);
    if (answer?.outcome.kind !== 'error') {
      return ofResult(answer, () => undecided('accepted: the order did not wait any more'));
    }
    const { code, message, details } = answer.outcome;
    const read = answerOfCode(code, message, details);
    const seen = `refused: ${whyFailed(answer.outcome)}`;
    if (read.kind === 'refused' && read.class === 'later') return agrees(seen);
    // It was over, or not there yet.
    return read.kind === 'refused' && read.class === 'done' ? undecided(seen) : differs(seen);
  },
};

const cancel: CapturePoint = {
  name: 'bump cancel',
  assumed:
    'A cancel of an order in its speed bump makes it immediate or cancel: it ends filled or cancelled, and never rests.',
  reliesOn: 'src/ports/deribit-wire/order-rows.ts',
  needs: 'fill',
  capture: (scene) =>
    whileItWaits(scene, ({ label }) =>
      scene.request(CANCEL, { label, currency: scene.bumped?.settlement }),
    ),
  judge: (answers) =>
    ofResult(answersTo(answers, CANCEL)[0], (of) => {
      const count = of.whole('result');
      if (count === 0) return undecided('the cancel found no order');
      return orderOf(answers, (order) => {
        const seen = `ended ${order.text('order_state')} with ${order.digitsIf('filled_amount') ?? '0'} filled`;
        return order.text('order_state') === 'open' ? differs(seen) : agrees(seen);
      });
    }),
};

const listing: CapturePoint = {
  name: 'bump listing',
  assumed:
    'A list of open orders shows an order in its speed bump with the state `speed_bumped`, or leaves it out.',
  reliesOn: 'src/ports/deribit-wire/order-rows.ts',
  needs: 'fill',
  capture: (scene) =>
    whileItWaits(scene, ({ instrument_name }) => scene.request(OPEN, { instrument_name })),
  judge: (answers) =>
    ofResult(answersTo(answers, OPEN)[0], (of) => {
      const label = answersTo(answers, BUY)[0]?.params['label'];
      const ours = of.each('result').find((one) => one.textIf('label') === label);
      if (ours === undefined) return agrees('left out');
      const state = ours.text('order_state');
      return state === WAITING ? agrees(`listed as ${state}`) : undecided(`listed as ${state}`);
    }),
};

export const BUMP_POINTS: readonly CapturePoint[] = [edit, cancel, listing];
