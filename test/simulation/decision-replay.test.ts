// A decision is a function of the state, the command and the inputs. Every decision of some simulated runs is written
// down as text; read from that text alone, it has to come out the same. The runs have frozen MMP groups, limits of the
// gate, overrides, jumping markets, trading switches, and starts after a kill.
import { beforeAll, describe, expect, test } from 'vitest';
import type { DecisionInputs } from '../../src/core/portfolio/aggregate/decision-inputs.ts';
import { type Decide, type Decision, decide } from '../../src/core/portfolio/decide.ts';
import { fromText, toText } from '../../src/core/portfolio/snapshot/value-text.ts';
import type { GateInputs } from '../../src/core/risk/gate/gate-inputs.ts';
import { nonEmpty } from '../support/non-empty.ts';
import { gateway } from './gateway-door.ts';
import { drawPlan } from './plan/draw-plan.ts';
import type { Profile } from './plan/plan.ts';
import { settle } from './settle.ts';
import { followStrategies } from './strategy-follower.ts';
import { simulate } from './world/simulation.ts';

/** Together they contain at least one decision that depends on each of the inputs. */
const SEEDS: readonly (readonly [Profile, readonly number[]])[] = [
  ['cheap', [0, 1, 9, 57, 101, 195, 278]],
  ['limits', [7, 8, 12, 13, 24, 36, 57, 72, 129, 195, 257, 271, 694]],
];

/** What a decision consists of, as text; the state that follows is the fold of the events. */
const said = ({ events, intents, rejections, isDeferred }: Decision): string =>
  JSON.stringify({ events, intents, rejections, isDeferred });

interface Recorded {
  /** State, command and inputs. */
  readonly given: string;
  readonly decided: string;
}

async function recorded(profile: Profile, seed: number): Promise<readonly Recorded[]> {
  const records: Recorded[] = [];
  const recording: Decide = (...given) => {
    // Written before the decision, which could change what it is given.
    const text = toText(given);
    const decision = decide(...given);
    records.push({ given: text, decided: said(decision) });
    return decision;
  };
  const plan = drawPlan(String(seed), profile);
  await simulate({ plan, settle, gateway, followStrategies, decide: recording });
  return records;
}

async function recordedAll(): Promise<readonly Recorded[]> {
  const records: Recorded[] = [];
  for (const [profile, seeds] of SEEDS) {
    for (const seed of seeds) records.push(...(await recorded(profile, seed)));
  }
  return nonEmpty(records);
}

type Change = (inputs: DecisionInputs) => DecisionInputs;

const withGate =
  (change: (gate: GateInputs) => GateInputs): Change =>
  (inputs) => ({ ...inputs, gate: inputs.gate && change(inputs.gate) });

/** Each takes one of the inputs away. */
const OMISSIONS: Readonly<Record<string, Change>> = {
  quotes: (inputs) => ({ ...inputs, quotes: new Map() }),
  freezes: (inputs) => ({ ...inputs, freezes: undefined }),
  trading: (inputs) => ({ ...inputs, trading: undefined }),
  recovery: (inputs) => ({ ...inputs, recovery: undefined }),
  'limits of the gate': (inputs) => ({ ...inputs, gate: undefined }),
  overrides: withGate((gate) => ({ ...gate, overrides: [] })),
  unrest: withGate((gate) => ({ ...gate, unrest: new Map() })),
  account: withGate((gate) => ({ ...gate, account: undefined })),
  'markets of the account': withGate(({ account, ...gate }) => ({
    ...gate,
    account: account && { ...account, markets: new Map() },
  })),
};

/** A record as another process would have it. */
interface ReadRecord {
  readonly given: Parameters<Decide>;
  readonly decided: string;
}

const read = ({ given, decided }: Recorded): ReadRecord => ({ given: fromText(given), decided });

function decidedAgain(
  { given: [state, command, inputs] }: ReadRecord,
  change: Change = (all) => all,
): string {
  return said(decide(state, command, change(inputs)));
}

describe('decisions of simulated runs, read from their recorded text alone', () => {
  let records: readonly ReadRecord[] = [];
  beforeAll(async () => {
    records = (await recordedAll()).map(read);
  });

  test('each decision gives the same events and intents again, byte for byte', () => {
    const again = records.map((record) => decidedAgain(record));
    expect(again).toEqual(records.map(({ decided }) => decided));
    expect(records.length).toBeGreaterThan(300);
  });

  test.each(Object.entries(OMISSIONS))(
    'without the %s some decision comes out differently, so it is needed and recorded',
    (_name, omit) => {
      const differs = (record: ReadRecord): boolean =>
        decidedAgain(record, omit) !== record.decided;
      expect(records.some(differs)).toBe(true);
    },
  );

  test('a function among the inputs cannot be recorded', () => {
    const [first] = records;
    const inputs = first?.given[2];
    expect(toText(inputs)).toContain('"settings"');
    expect(() => toText({ ...inputs, quotes: () => undefined })).toThrow(/accepted: plain values/);
  });
});
