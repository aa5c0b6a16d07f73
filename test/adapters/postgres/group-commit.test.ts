import { describe, expect, test } from 'vitest';
import {
  GroupCommit,
  type Settled,
  type StartTimer,
} from '../../../src/adapters/postgres/commit/group-commit.ts';
import { LedgerFailure, type Turn } from '../../../src/ports/ledger.ts';
import { InvariantBroken, must } from '../../../src/values/assert.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { turnWith } from '../../conformance/ledger-stage.ts';

const COMMITTED: Settled = { kind: 'committed' };
const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A lane that records its groups and answers on request. */
class Lane {
  readonly groups: string[][] = [];
  readonly #answers: ((settled: readonly Settled[]) => void)[] = [];

  readonly write = (calls: readonly (readonly Turn[])[]): Promise<readonly Settled[]> => {
    this.groups.push(calls.map((turns) => turns.map(({ portfolio }) => portfolio).join('+')));
    return new Promise((resolve) => this.#answers.push(resolve));
  };

  /** Answers the group in flight; "committed" for all unless given otherwise. */
  async answer(...settled: Settled[]): Promise<void> {
    const group = must(this.groups.at(-1), 'nothing is being written');
    const resolve = must(this.#answers.shift(), 'nothing is being written');
    resolve(settled.length > 0 ? settled : group.map(() => COMMITTED));
    await turnOfLoop();
    await turnOfLoop();
  }
}

/** Timers that fire on request: no test here depends on the speed of the machine. */
class Timers {
  readonly #waiting = new Map<() => void, number>();

  readonly start: StartTimer = (delayMs, then) => {
    this.#waiting.set(then, delayMs);
    return () => this.#waiting.delete(then);
  };

  get count(): number {
    return this.#waiting.size;
  }

  /** Of the timers that have not fired. */
  get delays(): readonly number[] {
    return [...this.#waiting.values()];
  }

  async fire(): Promise<void> {
    for (const then of [...this.#waiting.keys()]) {
      this.#waiting.delete(then);
      then();
    }
    await turnOfLoop();
  }
}

const first = (id: number, key?: string): Turn => turnWith(id, 0, { turn: { key } });

describe('GroupCommit', () => {
  test('the first call is written immediately, and calls that arrive meanwhile are written together', async () => {
    const lane = new Lane();
    const commits = new GroupCommit([lane.write], { maxTurns: 10, crowd: 1 }, new Timers().start);
    const all = [commits.commit([first(1)])];
    await turnOfLoop();
    for (const id of [2, 3, 4]) all.push(commits.commit([first(id)]));
    await turnOfLoop();
    expect(lane.groups).toEqual([['1']]);
    await lane.answer();
    expect(lane.groups).toEqual([['1'], ['2', '3', '4']]);
    await lane.answer();
    expect(await Promise.all(all)).toEqual([COMMITTED, COMMITTED, COMMITTED, COMMITTED]);
  });

  test('the cap counts turns, not calls, and a call above the cap is written alone', async () => {
    const lane = new Lane();
    const commits = new GroupCommit([lane.write], { maxTurns: 3, crowd: 1 }, new Timers().start);
    const many = [10, 11, 12, 13].map((id) => first(id));
    void commits.commit([first(1), first(2)]);
    void commits.commit(many);
    void commits.commit([first(3)]);
    await turnOfLoop();
    await lane.answer();
    await lane.answer();
    expect(lane.groups).toEqual([['1+2', '3'], ['10+11+12+13']]);
  });

  test('a portfolio or key is never in two groups at a time, and its turns keep their order', async () => {
    const [one, two] = [new Lane(), new Lane()];
    const commits = new GroupCommit(
      [one.write, two.write],
      { maxTurns: 10, crowd: 1 },
      new Timers().start,
    );
    const groups = (): string[][] => [...one.groups, ...two.groups];
    void commits.commit([first(1, 'a')]);
    await turnOfLoop();
    void commits.commit([first(2), turnWith(1, 1)]);
    void commits.commit([turnWith(2, 1)]);
    void commits.commit([first(3, 'a')]);
    void commits.commit([first(4)]);
    await turnOfLoop();
    // 2 waits behind the call that waits for 1, 3 waits for the key, 4 for nothing.
    expect(groups().sort()).toEqual([['1'], ['4']]);
    const [withOne, withFour] = one.groups[0]?.[0] === '1' ? [one, two] : [two, one];
    await withOne.answer();
    expect(groups()).toContainEqual(['2+1', '3']);
    expect(groups()).toHaveLength(3);
    await withFour.answer();
    expect(groups()).toHaveLength(3);
    const withBoth = one.groups.length === 2 ? one : two;
    await withBoth.answer();
    expect(groups()).toContainEqual(['2']);
  });

  test('a second lane is used only for a backlog', async () => {
    const [one, two] = [new Lane(), new Lane()];
    const timers = new Timers();
    const commits = new GroupCommit(
      [one.write, two.write],
      { maxTurns: 10, crowd: 3 },
      timers.start,
    );
    const groups = (): string[][] => [...two.groups, ...one.groups];
    void commits.commit([first(1)]);
    await turnOfLoop();
    for (const id of [2, 3]) void commits.commit([first(id)]);
    await turnOfLoop();
    expect(groups()).toEqual([['1']]);
    void commits.commit([first(4)]);
    await turnOfLoop();
    expect(groups()).toEqual([['1'], ['2', '3', '4']]);
    void commits.commit([first(5)]);
    await one.answer();
    expect(groups()).toHaveLength(2);
    await two.answer();
    expect(groups().flat()).toContain('5');
    expect(timers.count).toBe(1);
    await timers.fire();
    expect(groups()).toHaveLength(3);
  });

  test('a deferrable turn is written with the next urgent one, or alone after a moment', async () => {
    const lane = new Lane();
    const timers = new Timers();
    const commits = new GroupCommit([lane.write], { maxTurns: 10, crowd: 1 }, timers.start);
    const patient = (id: number): Turn => turnWith(id, 0, { turn: { mayWaitMs: 20 } });
    const all = [commits.commit([patient(1)])];
    await turnOfLoop();
    expect(lane.groups).toEqual([]);
    all.push(commits.commit([first(2)]));
    await turnOfLoop();
    expect(lane.groups).toEqual([['1', '2']]);
    all.push(commits.commit([patient(3)]));
    await lane.answer();
    expect(lane.groups).toHaveLength(1);
    await timers.fire();
    expect(lane.groups[1]).toEqual(['3']);
    await lane.answer();
    expect(await Promise.all(all)).toEqual([COMMITTED, COMMITTED, COMMITTED]);
  });

  test('deferrable turns are written together when the first of them must be', async () => {
    const lane = new Lane();
    const timers = new Timers();
    const commits = new GroupCommit([lane.write], { maxTurns: 10, crowd: 1 }, timers.start);
    const patient = (id: number, mayWaitMs: number): Turn =>
      turnWith(id, 0, { turn: { mayWaitMs } });
    const all = [commits.commit([patient(1, 200_000)])];
    const [alone = 0] = timers.delays;
    expect(alone).toBeGreaterThan(100_000);
    all.push(commits.commit([patient(2, 100_000), patient(3, 300_000)]));
    const sooner = timers.delays;
    expect(sooner).toHaveLength(1);
    expect(sooner[0]).toBeLessThanOrEqual(100_000);
    all.push(commits.commit([patient(4, 150_000)]));
    expect(timers.delays).toEqual(sooner);
    await timers.fire();
    expect(lane.groups).toEqual([['1', '2+3', '4']]);
    await lane.answer();
    expect(await Promise.all(all)).toEqual([COMMITTED, COMMITTED, COMMITTED]);
  });

  test('a deferrable turn behind a long transaction is not forgotten', async () => {
    const lane = new Lane();
    const timers = new Timers();
    const commits = new GroupCommit([lane.write], { maxTurns: 10, crowd: 1 }, timers.start);
    const patient = turnWith(2, 0, { turn: { mayWaitMs: 20 } });
    const all = [commits.commit([first(1)])];
    await turnOfLoop();
    all.push(commits.commit([patient]));
    // Its own timer fires while no lane is free, and no call follows it.
    await timers.fire();
    expect(lane.groups).toEqual([['1']]);
    await lane.answer();
    await timers.fire();
    expect(lane.groups).toEqual([['1'], ['2']]);
    await lane.answer();
    expect(await Promise.all(all)).toEqual([COMMITTED, COMMITTED]);
  });

  test('a call waits behind a hanging transaction only for a moment', async () => {
    const [hanging, other] = [new Lane(), new Lane()];
    const timers = new Timers();
    const commits = new GroupCommit(
      [other.write, hanging.write],
      { maxTurns: 10, crowd: 9 },
      timers.start,
    );
    void commits.commit([first(1)]);
    await turnOfLoop();
    void commits.commit([first(2)]);
    await turnOfLoop();
    expect(other.groups).toEqual([]);
    await timers.fire();
    expect([...hanging.groups, ...other.groups]).toEqual([['1'], ['2']]);
  });

  test('every caller gets its own outcome', async () => {
    const lane = new Lane();
    const commits = new GroupCommit([lane.write], { maxTurns: 10, crowd: 1 }, new Timers().start);
    const settled = Promise.allSettled([1, 2, 3].map((id) => commits.commit([first(id)])));
    await turnOfLoop();
    const failure = new LedgerFailure('the disk is full', false);
    await lane.answer(COMMITTED, { kind: 'conflict', portfolio: portfolioId('2') }, failure);
    expect(await settled).toEqual([
      { status: 'fulfilled', value: COMMITTED },
      { status: 'fulfilled', value: { kind: 'conflict', portfolio: '2' } },
      { status: 'rejected', reason: failure },
    ]);
  });

  test('close resolves once every call has its outcome', async () => {
    const lane = new Lane();
    const commits = new GroupCommit([lane.write], { maxTurns: 1, crowd: 1 }, new Timers().start);
    void commits.commit([first(1)]);
    void commits.commit([first(2)]);
    let closed = false;
    const closing = commits.close().then(() => {
      closed = true;
    });
    await turnOfLoop();
    await lane.answer();
    expect(closed).toBe(false);
    await lane.answer();
    await closing;
    expect(closed).toBe(true);
    await expect(commits.commit([first(3)])).rejects.toThrow(LedgerFailure);
  });

  test('a commit that names a portfolio twice is a broken invariant', () => {
    const commits = new GroupCommit(
      [new Lane().write],
      { maxTurns: 1, crowd: 1 },
      new Timers().start,
    );
    expect(() => commits.commit([first(1), turnWith(1, 1)])).toThrow(InvariantBroken);
  });
});
