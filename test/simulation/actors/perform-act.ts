// Performs the scheduled actions of operators and other parties, and scheduled faults.
import type { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import { quantity, steps } from '../../../src/values/amounts.ts';
import { childLabel, childLabelOf, portfolioId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import type { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { SIMULATED_SETTINGS } from '../checks/bounds.ts';
import type { ReportBreach } from '../checks/breach.ts';
import type { ExchangeOracle } from '../oracles/exchange.oracle.ts';
import type { Referee } from '../oracles/referee.ts';
import type { SwitchesOracle } from '../oracles/switches.oracle.ts';
import type { Asked } from '../own-books/asked.ts';
import type { Act } from '../plan/plan.ts';
import { ACCOUNTS, DUMMY, MMP_GROUP } from '../plan/simulated-accounts.ts';
import type { DeploymentQueue } from '../world/deployment-queue.ts';
import { OWN_PREFIX } from '../world/lagging-venue.ts';
import { expectFailure } from '../world/simulated-client.ts';
import type { SimulatedDaemon } from '../world/simulated-daemon.ts';
import { INSTRUMENTS } from '../world/simulated-market.ts';
import type { Doors } from './door-client.ts';
import { setSwitchByDoor } from './door-operator.ts';

export interface ActStage {
  readonly clock: VirtualClock;
  readonly queue: DeploymentQueue;
  readonly daemons: readonly SimulatedDaemon[];
  /** The venue itself, without a connection between. */
  /** The exchange itself, so that actors other than daemons can use it. */
  readonly paper: PaperVenue;
  readonly truth: ExchangeOracle;
  readonly referee: Referee;
  readonly switches: SwitchesOracle;
  readonly asked: Asked;
  /** Absent: switches are set without gateways. */
  readonly doors: Doors | undefined;
  /** Labels of other accounts' orders; orders placed for them are added. */
  readonly foreign: Set<string>;
  /** A request could not be written. */
  readonly onRefused: (error: unknown) => void;
  readonly reportBreach: ReportBreach;
}

const BY = { uid: '9', nickname: 'operator' };

export function performAct(act: Act, stage: ActStage): void {
  switch (act.kind) {
    case 'wipe_queue':
      return stage.queue.wipe();
    case 'kill':
      return stage.daemons[act.daemon]?.kill();
    case 'bury':
      return bury(stage, act.daemon);
    case 'step_clock': {
      const daemon = stage.daemons[act.daemon];
      if (daemon !== undefined) daemon.offsetMs = act.toMs;
      return;
    }
    case 'cancel_all':
      return cancelAll(stage, act.account);
    case 'stranger_cancels':
      return strangerCancels(stage);
    case 'stray_order':
      return rest(stage, strayLabel(act.atMs), stage.referee.strays);
    case 'foreign_order':
      return rest(stage, `by-hand-${act.atMs}`, stage.foreign);
    case 'set_switch':
      return setSwitch(stage, act);
    case 'reset_mmp':
    case 'configure_mmp':
      return setProtection(stage, act);
    case 'reload_limits':
      return undefined;
  }
}

/** The daemon does not come back, provided another one remains. */
function bury({ daemons }: ActStage, index: number): void {
  const daemon = daemons[index];
  const others = daemons.filter((one) => one !== daemon && !one.isBuried);
  if (daemon === undefined || others.length === 0) return;
  daemon.kill();
  daemon.isBuried = true;
}

function cancelAll(stage: ActStage, index: number): void {
  const { daemons, asked: demands, reportBreach } = stage;
  const asked = daemons.find(({ isAlive, engine }) => isAlive && engine.isReady);
  const account = ACCOUNTS[index];
  if (asked === undefined || account === undefined) return;
  demands.cancelAll(account);
  asked.operations
    .cancelAll({ account }, BY)
    .catch((error: unknown) => expectFailure(error, reportBreach));
}

function setSwitch(stage: ActStage, act: Extract<Act, { kind: 'set_switch' }>): void {
  const { scope, state } = act;
  const { switches, isAlive } = stage.daemons[act.daemon] ?? {};
  if (switches === undefined || !isAlive) return;
  const [account = DUMMY] = ACCOUNTS;
  const open = [...stage.referee.books.values()].find(({ isOver }) => !isOver);
  const of = { deployment: '', account, portfolio: open?.id ?? '1' }[scope];
  const at = stage.clock.now();
  const setting = { scope, of, state, by: BY, reason: 'simulated', at };
  stage.switches.noteAsked(setting);
  const daemon = stage.daemons[act.daemon];
  if (stage.doors !== undefined && daemon !== undefined) {
    void setSwitchByDoor(stage.doors, daemon, setting);
    return;
  }
  // A stricter setting that could not be written stays in force there and is written later.
  switches.set(setting).catch((error: unknown) => stage.onRefused(error));
}

function setProtection(
  stage: ActStage,
  act: Extract<Act, { kind: 'reset_mmp' | 'configure_mmp' }>,
): void {
  const { desk, isAlive, engine } = stage.daemons[act.daemon] ?? {};
  const [account = DUMMY] = ACCOUNTS;
  if (desk?.mmp === undefined || !isAlive || !engine?.isReady) return;
  const name = { kind: 'order', index: 'btc_usd', group: MMP_GROUP, by: BY.uid } as const;
  const asked =
    act.kind === 'reset_mmp'
      ? desk.mmp.reset({ ...name, account })
      : desk.mmp.configure(account, {
          ...name,
          intervalMs: 2_000,
          frozenMs: 1_000,
          quantityLimit: quantity(act.limit),
        });
  asked.catch((error: unknown) => stage.onRefused(error));
}

function strangerCancels({ truth, paper }: ActStage): void {
  for (const { account, order } of truth.all()) {
    if (order.state !== 'open' || !order.label.startsWith(OWN_PREFIX)) continue;
    const { instrument, orderId } = order;
    void paper.cancel({ account, of: { orderId, instrument } });
    return;
  }
}

/** An order far from the market, so that it rests. */
function rest({ paper }: ActStage, label: string, among: Set<string>): void {
  among.add(label);
  const { name: instrument, tickSize, amountStep } = INSTRUMENTS.perpetual;
  const [account = DUMMY] = ACCOUNTS;
  void paper.place({
    account,
    instrument,
    side: 'buy',
    type: 'limit',
    quantity: steps(amountStep, 1),
    price: steps(tickSize, 100_000),
    label: childLabelOf(label),
    timeInForce: 'good_til_cancelled',
    postOnly: false,
    rejectPostOnly: false,
    reduceOnly: false,
    mmp: false,
    validUntil: later(paper.venueNow(), 1_000),
  });
}

/** A label of ours that belongs to no portfolio. */
const strayLabel = (atMs: number): string =>
  childLabel({
    deployment: SIMULATED_SETTINGS.deployment,
    portfolio: portfolioId(String(atMs)),
    leg: 0,
    slice: 0,
    attempt: 1,
  });
