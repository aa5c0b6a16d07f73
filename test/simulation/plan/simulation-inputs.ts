// The removable parts of a plan, by name: shrinking removes them, and a command
// line names them to run a shrunk plan again.
import type { SimulationPlan } from './plan.ts';

type Named = readonly [name: string, without: (plan: SimulationPlan) => SimulationPlan];

/** Everything that can be left out of `plan`, the coarsest first. */
export function partsOf(plan: SimulationPlan): readonly string[] {
  const whole = JSON.stringify(plan);
  const isThere = ([, without]: Named): boolean => JSON.stringify(without(plan)) !== whole;
  return parts(plan)
    .filter(isThere)
    .map(([name]) => name);
}

/** The plan without the named parts. Throws for a name the plan does not have. */
export function withoutParts(plan: SimulationPlan, names: Iterable<string>): SimulationPlan {
  const known = new Map(parts(plan));
  let left = plan;
  for (const name of names) {
    const without = known.get(name);
    if (without === undefined) {
      throw new Error(`the plan has no part "${name}"; it has ${[...known.keys()].join(', ')}`);
    }
    left = without(left);
  }
  return left;
}

/** Positions stay as they are, so that a part keeps its name when others are gone. */
function parts(plan: SimulationPlan): readonly Named[] {
  return [
    ...plan.clients.map((_, index): Named => [`client-${index}`, noClient(index)]),
    ...plan.daemons.map((_, index): Named => [`crashes-${index}`, noCrashes(index)]),
    ...plan.acts.map((act): Named => [`${act.kind}-${act.atMs}`, noAct(act)]),
    ...plan.faults.map(({ kind }): Named => [kind, noFault(kind)]),
    ...plan.clients.flatMap(({ legs }, client) =>
      legs.map((_, leg): Named => [`leg-${client}-${leg}`, noLeg(client, leg)]),
    ),
    ...plan.clients.flatMap((_, index): Named[] => [
      [`changes-${index}`, (left) => changedClient(left, index, { changes: [] })],
      [`cancel-${index}`, (left) => changedClient(left, index, { cancelAtMs: undefined })],
      [`shadow-${index}`, (left) => changedClient(left, index, { hasShadow: false })],
      [`phase-${index}`, (left) => changedClient(left, index, { phase: 0 })],
      [
        `options-${index}`,
        (left) => changedClient(left, index, { options: {}, ...plainEnd(left, index) }),
      ],
      [`parts-${index}`, (left) => changedClient(left, index, { balance: undefined })],
    ]),
    ...plan.daemons.flatMap((_, index): Named[] => [
      [`offset-${index}`, (left) => changedDaemon(left, index, { offsetMs: 0 })],
      [`settings-${index}`, (left) => changedDaemon(left, index, { settings: [] })],
    ]),
    ...plan.hands.map((hand): Named => [`hand-${hand.atMs}`, noHand(hand)]),
    ...plan.rfqs.map((rfq): Named => [`rfq-${rfq.atMs}`, noRfq(rfq)]),
    ['auditor', ({ audit: _none, ...left }) => left],
    ['strategies', ({ strategies: _none, ...left }) => left],
    ['exchange-deaths', ({ exchangeDeaths: _none, ...left }) => left],
    ['snapshots', ({ snapshots: _none, ...left }) => left],
    ['schedule', ({ schedule: _none, ...left }) => left],
    ['controls', (left) => ({ ...left, controls: undefined })],
    ['door', (left) => ({ ...left, door: undefined })],
    ['probes', (left) => ({ ...left, door: left.door && { ...left.door, probes: [] } })],
    ['rates', (left) => ({ ...left, door: left.door && { ...left.door, later: undefined } })],
    [
      'revoked',
      (left) => ({ ...left, door: left.door && { ...left.door, revokeAtMs: undefined } }),
    ],
    ['arm', (left) => ({ ...left, settings: { ...left.settings, armMs: 0 } })],
    ['expiry', (left) => ({ ...left, expiresAfterMs: undefined })],
    ['forgets', (left) => ({ ...left, retiredMax: 200 })],
    ['takers', (left) => ({ ...left, takerShare: 0 })],
    ['latency', (left) => ({ ...left, latencyMs: 0 })],
    ['venue-offset', (left) => ({ ...left, venueOffsetMs: 0 })],
  ];
}

type Client = SimulationPlan['clients'][number];

/** An end action that needs no option. */
const plainEnd = (plan: SimulationPlan, index: number): Partial<Client> =>
  plan.clients[index]?.endAction === 'cancel' ? {} : { endAction: 'market' };
type Daemon = SimulationPlan['daemons'][number];

const changedClient = (
  plan: SimulationPlan,
  index: number,
  change: Partial<Client>,
): SimulationPlan => ({
  ...plan,
  clients: plan.clients.map((client, at) => (at === index ? { ...client, ...change } : client)),
});

const changedDaemon = (
  plan: SimulationPlan,
  index: number,
  change: Partial<Daemon>,
): SimulationPlan => ({
  ...plan,
  daemons: plan.daemons.map((daemon, at) => (at === index ? { ...daemon, ...change } : daemon)),
});

/** A client without legs requests nothing. */
const noClient = (index: number) => (plan: SimulationPlan) =>
  changedClient(plan, index, { legs: [] });

const noCrashes = (index: number) => (plan: SimulationPlan) =>
  changedDaemon(plan, index, { crashes: [] });

const noAct = (gone: SimulationPlan['acts'][number]) => (plan: SimulationPlan) => ({
  ...plan,
  acts: plan.acts.filter((act) => act !== gone),
});

const noHand = (gone: SimulationPlan['hands'][number]) => (plan: SimulationPlan) => ({
  ...plan,
  hands: plan.hands.filter((hand) => hand !== gone),
});

const noRfq = (gone: SimulationPlan['rfqs'][number]) => (plan: SimulationPlan) => ({
  ...plan,
  rfqs: plan.rfqs.filter((rfq) => rfq !== gone),
});

const noFault = (kind: string) => (plan: SimulationPlan) => ({
  ...plan,
  faults: plan.faults.filter((fault) => fault.kind !== kind),
});

const noLeg = (client: number, leg: number) => (plan: SimulationPlan) => {
  const legs = plan.clients[client]?.legs ?? [];
  const left = legs.map((one, at) => (at === leg ? undefined : one));
  return changedClient(plan, client, { legs: left.flatMap((one) => one ?? []) });
};
