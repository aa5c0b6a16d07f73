// The cost of recording markets for cost reports: processor time per slice with and without, in short alternating periods
// of one process, with everything else as in production. Rows are written within the period that made them.
import { CostRecorder } from '../src/engine/costs/cost-recorder.ts';
import { MarketsAtWork } from '../src/engine/costs/markets-at-work.ts';
import type { CostRecord } from '../src/ports/costs/cost-record.ts';
import type { Row } from './row.ts';
import type { Bench } from './slices.ts';
import { costPairs, costRow, type SliceCost, type Switched, throughSwitch } from './telemetry.ts';

const PAIRS = 100;
const LEAST = 0.97;

function recordSwitch({ wired }: Bench): Switched {
  let isOn = true;
  const { committed } = CostRecorder.prototype;
  CostRecorder.prototype.committed = function recorded(turn) {
    if (isOn) committed.call(this, turn);
  };
  const { current } = MarketsAtWork.prototype;
  MarketsAtWork.prototype.current = function recorded() {
    return isOn ? current.call(this) : [];
  };
  return {
    state: throughSwitch(wired.observer),
    set: (on) => {
      isOn = on;
    },
    settle: () => (wired.costRecord as CostRecord).flush(),
  };
}

export async function benchCostRecord(): Promise<Row[]> {
  const pairs = await costPairs(PAIRS, recordSwitch);
  const of = (kind: keyof SliceCost) =>
    pairs.map(({ on, off }) => ({ on: on[kind], off: off[kind] }));
  return [
    costRow(
      `processor time of the engine's thread per slice, ${PAIRS} pairs, record of markets`,
      LEAST,
      of('thread'),
    ),
    costRow(
      `user time of the process per slice, ${PAIRS} pairs, record of markets`,
      LEAST,
      of('user'),
    ),
  ];
}
