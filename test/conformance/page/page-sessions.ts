// Contract of every PageSessions: sessions that every view sees until they are over, and codes that are good once.
import { expect, test } from 'vitest';
import { LedgerFailure } from '../../../src/ports/ledger.ts';
import type { PageCode, PageSession, PageSessions } from '../../../src/ports/page/page-sessions.ts';
import { instant } from '../../../src/values/instant.ts';
import { expectRefused, NUL_TEXT } from '../refusals.ts';

const AT = 1_767_225_600_000;

const session = (id: string, change: Partial<PageSession> = {}): PageSession => ({
  id,
  digest: `digest of ${id}`,
  keyId: 'desk-1',
  generation: 2,
  scopes: ['read', 'trade'],
  address: '::1',
  agent: "Mozilla/5.0 'quoted' ünïcode",
  openedAt: instant(AT),
  usedAt: instant(AT),
  endsAt: instant(AT + 1_000),
  mac: `mac of ${id}`,
  ...change,
});

const code = (digest: string, change: Partial<PageCode> = {}): PageCode => ({
  digest,
  purpose: 'open',
  keyId: 'desk-1',
  generation: 0,
  scopes: ['admin'],
  until: instant(AT + 1_000),
  mac: `mac of ${digest}`,
  ...change,
});

/** `open` returns another view of the same records; ids are unique to each test. */
export function pageSessionsConformance(open: () => Promise<PageSessions>): void {
  test('a session is found by its digest in every view until the instant at which it ends', async () => {
    const [one, other] = [await open(), await open()];
    await one.add(session('found'));
    expect(await other.find('digest of found', instant(AT + 999))).toEqual(session('found'));
    expect(await other.find('digest of found', instant(AT + 1_000))).toBeUndefined();
    expect(await other.find('digest of another', instant(AT))).toBeUndefined();
  });

  test('whom a proxy named is stored with the session', async () => {
    const [one, other] = [await open(), await open()];
    const person = "o'neil@desk.example";
    await one.add(session('of a person', { person }));
    expect(await other.find('digest of of a person', instant(AT))).toEqual(
      session('of a person', { person }),
    );
    expect((await other.list(instant(AT))).map((each) => each.person)).toContain(person);
  });

  test('the use of a session moves forward only', async () => {
    const sessions = await open();
    await sessions.add(session('used'));
    await sessions.use('used', instant(AT + 500));
    await sessions.use('used', instant(AT + 200));
    await sessions.use('nobody', instant(AT + 200));
    expect((await sessions.find('digest of used', instant(AT)))?.usedAt).toBe(AT + 500);
  });

  test('sessions are listed newest first, without those that are over or were ended', async () => {
    const [one, other] = [await open(), await open()];
    const later = { openedAt: instant(AT + 50_000), usedAt: instant(AT + 50_000) };
    const ends = { endsAt: instant(AT + 90_000) };
    await one.add(session('older', { openedAt: instant(AT + 40_000), ...ends }));
    await one.add(session('newer', { ...later, ...ends }));
    await one.add(session('ended', { ...later, ...ends }));
    await one.add(session('over', { ...later, endsAt: instant(AT + 60_000) }));
    expect(await other.end('ended')).toBe(true);
    expect(await one.end('ended')).toBe(false);
    const own = new Set(['older', 'newer', 'ended', 'over']);
    const open60 = (await other.list(instant(AT + 60_000))).filter(({ id }) => own.has(id));
    expect(open60.map(({ id }) => id)).toEqual(['newer', 'older']);
    expect(await one.find('digest of ended', instant(AT))).toBeUndefined();
  });

  test('a code is good once, for its purpose only, before its end', async () => {
    const [one, other] = [await open(), await open()];
    await one.addCode(code('a'));
    expect(await other.takeCode('a', 'confirm', instant(AT))).toBeUndefined();
    expect(await other.takeCode('a', 'open', instant(AT + 999))).toEqual(code('a'));
    expect(await one.takeCode('a', 'open', instant(AT))).toBeUndefined();
    await one.addCode(code('b', { purpose: 'confirm' }));
    expect(await one.takeCode('b', 'confirm', instant(AT + 1_000))).toBeUndefined();
    expect(await one.takeCode('b', 'confirm', instant(AT))).toBeUndefined();
  });

  test('of many that take one code at once, one gets it', async () => {
    const views = await Promise.all([1, 2, 3, 4].map(() => open()));
    await views[0]?.addCode(code('raced'));
    const taken = await Promise.all(
      views.map((view) => view.takeCode('raced', 'open', instant(AT))),
    );
    expect(taken.filter((one) => one !== undefined)).toHaveLength(1);
  });

  test('an id or a digest is taken while its session lasts, and a digest of a code too', async () => {
    const [one, other] = [await open(), await open()];
    const taken = session('taken');
    await one.add(taken);
    const others = [
      session('taken', { digest: 'free' }),
      session('free', { digest: taken.digest }),
    ];
    for (const each of others) await expect(other.add(each)).rejects.toThrow(LedgerFailure);
    expect(await other.find(taken.digest, instant(AT))).toEqual(taken);
    expect(await other.find('free', instant(AT))).toBeUndefined();
    await one.addCode(code('taken'));
    const again = code('taken', { purpose: 'confirm' });
    await expect(other.addCode(again)).rejects.toThrow(LedgerFailure);
    expect(await other.takeCode('taken', 'open', instant(AT))).toEqual(code('taken'));
  });

  test('text with a NUL character is refused', async () => {
    const sessions = await open();
    await expectRefused({
      agent: () => sessions.add(session('nul', { agent: NUL_TEXT })),
      person: () => sessions.add(session('nul', { person: NUL_TEXT })),
      code: () => sessions.addCode(code('digest of nul', { mac: NUL_TEXT })),
      find: () => sessions.find(NUL_TEXT, instant(AT)),
      use: () => sessions.use(NUL_TEXT, instant(AT)),
      end: () => sessions.end(NUL_TEXT),
      take: () => sessions.takeCode(NUL_TEXT, 'open', instant(AT)),
    });
    expect(await sessions.find('digest of nul', instant(AT))).toBeUndefined();
    expect(await sessions.takeCode('digest of nul', 'open', instant(AT))).toBeUndefined();
  });

  test('sessions that were opened at one instant are listed by id', async () => {
    const sessions = await open();
    const at = { openedAt: instant(AT + 200_000), endsAt: instant(AT + 201_000) };
    for (const id of ['tie b', 'tie a', 'tie C']) await sessions.add(session(id, at));
    const listed = await sessions.list(instant(AT + 200_500));
    expect(listed.map(({ id }) => id)).toEqual(['tie C', 'tie a', 'tie b']);
  });
}
