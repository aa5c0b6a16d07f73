import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readFolder, StrategyFolder } from '../../../src/main/strategy/strategy-folder.ts';
import type { StrategySet } from '../../../src/main/strategy/strategy-set.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;
const HOLIDAYS = ', holidays: holidays/england.yaml';
const EXAMPLE = readFileSync(join(ROOT, 'strategies/spot-sale-london.yaml'), 'utf8').replace(
  HOLIDAYS,
  '',
);

const named = (name: string, quantity = '2'): string =>
  EXAMPLE.replace(/^name: .*$/m, `name: ${name}`).replace(
    'quantity: "2"',
    `quantity: "${quantity}"`,
  );

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'twapd-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
const names = (set: StrategySet): readonly string[] => [...set.inForce.keys()].sort();
const quantityOf = (set: StrategySet, name: string): string | undefined =>
  set.inForce.get(name)?.form.legs[0]?.quantity.toString();

describe('reading a folder', () => {
  test('reading a folder takes every strategy directly in it, and nothing else', () => {
    write('one.yaml', named('one'));
    write('two.yml', named('two'));
    write('README.md', 'not a strategy');
    write('.hidden.yaml', 'not: [one');
    mkdirSync(join(folder, 'more'));
    write('more/three.yaml', named('three'));
    const set = readFolder(folder);
    expect(names(set)).toEqual(['one', 'two']);
    expect(set.faults).toEqual([]);
  });

  test('a file that becomes faulty keeps its running version, and its fault is reported', () => {
    write('one.yaml', named('one', '2'));
    write('two.yaml', named('two'));
    const before = readFolder(folder);
    write('one.yaml', named('one', '3').replace('side: 2', 'side: 7'));
    write('two.yaml', named('two', '5'));
    const after = readFolder(folder, before);
    expect(quantityOf(after, 'one')).toBe('2');
    expect(quantityOf(after, 'two')).toBe('5');
    expect(after.faults.map((fault) => fault.field)).toEqual(['portfolio.legs[0].side']);
    write('one.yaml', named('one', '3'));
    const mended = readFolder(folder, after);
    expect(quantityOf(mended, 'one')).toBe('3');
    expect(mended.faults).toEqual([]);
  });

  test('a half-written file keeps its running version', () => {
    write('one.yaml', named('one'));
    const before = readFolder(folder);
    const whole = named('one', '9');
    for (const end of [0, 40, whole.indexOf('legs:'), whole.indexOf('priceType')]) {
      write('one.yaml', whole.slice(0, end));
      const during = readFolder(folder, before);
      expect(quantityOf(during, 'one')).toBe('2');
      expect(during.faults.length).toBeGreaterThan(0);
    }
  });

  test('a deleted file removes its strategy', () => {
    write('one.yaml', named('one'));
    write('two.yaml', named('two'));
    const before = readFolder(folder);
    rmSync(join(folder, 'one.yaml'));
    expect(names(readFolder(folder, before))).toEqual(['two']);
  });

  test('a renamed strategy and a renamed file are followed', () => {
    write('one.yaml', named('one'));
    const before = readFolder(folder);
    write('one.yaml', named('uno'));
    const renamed = readFolder(folder, before);
    expect(names(renamed)).toEqual(['uno']);
    renameSync(join(folder, 'one.yaml'), join(folder, 'other.yaml'));
    expect(names(readFolder(folder, renamed))).toEqual(['uno']);
  });

  test('of two files with the same name the first by path is used', () => {
    write('b.yaml', named('same', '3'));
    write('a.yaml', named('same', '2'));
    const set = readFolder(folder);
    expect(quantityOf(set, 'same')).toBe('2');
    expect(set.faults[0]).toMatchObject({ source: join(folder, 'b.yaml'), field: 'name' });
  });

  test('an unreadable folder keeps every strategy', () => {
    write('one.yaml', named('one'));
    const before = readFolder(folder);
    rmSync(folder, { recursive: true });
    const after = readFolder(folder, before);
    expect(names(after)).toEqual(['one']);
    expect(after.faults[0]?.message).toContain('ENOENT');
  });
});

describe('watching a folder', () => {
  /** Resolves with the first set that `is` accepts. */
  async function watching(
    is: (set: StrategySet) => boolean,
    act: () => void,
  ): Promise<StrategySet> {
    let found: (set: StrategySet) => void = () => undefined;
    const seen = new Promise<StrategySet>((resolve) => {
      found = resolve;
    });
    const watched = new StrategyFolder(folder, {
      settleMs: 20,
      onLoaded: (set) => {
        if (is(set)) found(set);
      },
    });
    await watched.start();
    try {
      act();
      return await seen;
    } finally {
      await watched.drain();
    }
  }

  test('a new file is loaded', async () => {
    const set = await watching(
      (one) => one.inForce.has('new'),
      () => write('new.yaml', named('new')),
    );
    expect(set.faults).toEqual([]);
  });

  test('a change is loaded, and never its half-written state', async () => {
    write('one.yaml', named('one'));
    const seen: (string | undefined)[] = [];
    const whole = named('one', '4');
    const set = await watching(
      (one) => {
        seen.push(quantityOf(one, 'one'));
        return quantityOf(one, 'one') === '4';
      },
      () => {
        write('one.yaml', whole.slice(0, 300));
        setTimeout(() => write('one.yaml', whole), 100);
      },
    );
    expect(set.faults).toEqual([]);
    expect(new Set(seen)).toEqual(new Set(['2', '4']));
  });

  test('a file that replaces another is loaded', async () => {
    write('one.yaml', named('one'));
    await watching(
      (one) => quantityOf(one, 'one') === '6',
      () => {
        write('one.yaml.tmp', named('one', '6'));
        renameSync(join(folder, 'one.yaml.tmp'), join(folder, 'one.yaml'));
      },
    );
  });

  test('a removed file is unloaded', async () => {
    write('one.yaml', named('one'));
    await watching(
      (one) => one.inForce.size === 0,
      () => rmSync(join(folder, 'one.yaml')),
    );
  });

  test('a change to the holidays a strategy names is loaded', async () => {
    const days = (day: string): void =>
      write('days/ours.yaml', `name: ours\ndays: { ${day}: off }\n`);
    mkdirSync(join(folder, 'days'));
    days('2026-12-25');
    const zone = 'zone: Europe/London';
    write('one.yaml', named('one').replace(zone, `${zone}, holidays: days/ours.yaml`));
    const holidaysOf = (set: StrategySet): readonly string[] => {
      const schedule = set.inForce.get('one')?.schedule;
      return schedule?.kind === 'cron' ? [...(schedule.holidays ?? [])] : [];
    };
    const set = await watching(
      (one) => holidaysOf(one).includes('2026-12-28'),
      () => days('2026-12-28'),
    );
    expect(holidaysOf(set)).toEqual(['2026-12-28']);
  });

  test('reload reads the folder again immediately', async () => {
    write('one.yaml', named('one'));
    const loaded: number[] = [];
    const watched = new StrategyFolder(folder, {
      settleMs: 60_000,
      onLoaded: (set) => loaded.push(set.inForce.size),
    });
    await watched.start();
    write('two.yaml', named('two'));
    expect(names(await watched.reload())).toEqual(['one', 'two']);
    expect(names(watched.current)).toEqual(['one', 'two']);
    await watched.drain();
    expect(loaded).toEqual([1, 2]);
  });
});
