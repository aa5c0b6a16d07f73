// House rules for the source text. Each rule names what to use instead.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unseenErrors } from './support/caught-errors.ts';
import { literalSpreads } from './support/literal-spreads.ts';
import { longFunctions } from './support/long-functions.ts';
import { shortTimeLimits } from './support/time-limits.ts';

interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('node_modules'));
}

const read = (path: string): SourceFile => {
  const text = readFileSync(path, 'utf8');
  return { path, text, lines: text.split('\n') };
};

const SOURCES = filesBelow('src')
  .filter((path) => /\.(tsx?|mjs)$/.test(path))
  .map(read);
const TESTS = filesBelow('test')
  .filter((path) => path.endsWith('.ts'))
  .map(read);
const BENCHES = filesBelow('bench')
  .filter((path) => path.endsWith('.ts'))
  .map(read);
const DOCUMENTS = [
  ...['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'].filter(
    (path) => existsSync(path),
  ),
  ...filesBelow('docs').filter((path) => path.endsWith('.md')),
  ...filesBelow('bench').filter((path) => path.endsWith('.md')),
].map(read);

const PURE = /^src\/(values|quant|core|exchange|ports|lifetime|engine|recorder|virtual)\//;
const SYNCHRONOUS = /^src\/(values|quant|core|exchange)\//;

/** Code without comments and strings, line by line: rules apply to code. */
function codeLines({ text }: SourceFile): string[] {
  const bare = text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/(^|\s)\/\/.*$/gm, '$1')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''");
  return bare.split('\n');
}

function offences(files: readonly SourceFile[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    codeLines(file).flatMap((line, index) =>
      pattern.test(line) ? [`${file.path}:${index + 1} ${line.trim()}`] : [],
    ),
  );
}

/** A seed of the simulation gives the same run everywhere, so its parts are as pure as the floors. */
const SIMULATION = TESTS.filter(({ path }) =>
  /^test\/simulation\/(plan|world|actors|oracles|checks|own-books)\//.test(path),
).filter(({ path }) => !path.endsWith('.test.ts'));
/** What stands in for stores and venues in virtual time. */
const DOUBLES = TESTS.filter(({ path }) => path.startsWith('test/doubles/'));
const pure = [...SOURCES.filter(({ path }) => PURE.test(path)), ...SIMULATION, ...DOUBLES];

/** Files that cut digests, dates and names in plain letters. */
const KEPT_CUTS = new Set([
  'src/values/text/text-length.ts',
  'src/adapters/recorded-market/recording-cache.ts',
  'src/gateway/deribit/market/deribit-past-methods.ts',
  'src/gateway/http/ready-documents.ts',
  'src/page/model/ticket/strategy-text.ts',
]);

describe('the source', () => {
  test('every floor of the source exists', () => {
    expect(SOURCES.length).toBeGreaterThan(250);
    expect(SIMULATION.length).toBeGreaterThan(80);
    expect(DOUBLES.length).toBeGreaterThan(20);
    for (const floor of [
      'values',
      'quant',
      'core',
      'exchange',
      'ports',
      'engine',
      'recorder',
      'adapters',
      'gateway',
      'virtual',
      'main',
    ]) {
      expect(
        SOURCES.some(({ path }) => path.startsWith(`src/${floor}/`)),
        floor,
      ).toBe(true);
    }
  });

  test('pure floors read no clock, randomness or process; they receive them as values or ports', () => {
    // The oracle of cron schedules computes with `Date`, so that it shares no code with what it checks.
    const dating = new Set(['src/values/instant.ts', 'test/simulation/own-books/own-cron.ts']);
    const luxon = pure.filter(({ path }) => !dating.has(path));
    expect(offences(luxon, /\bDate\.now\b|\bnew Date\b|\bperformance\.now\b/)).toEqual([]);
    expect(offences(pure, /\bMath\.random\b|\bcrypto\b|\brandomUUID\b/)).toEqual([]);
    expect(offences(pure, /\bset(Timeout|Interval|Immediate)\(|\bqueueMicrotask\(/)).toEqual([]);
    expect(offences(pure, /\bprocess\.|\bglobalThis\b|\brequire\(/)).toEqual([]);
  });

  test('floors that decide are synchronous', () => {
    const deciding = SOURCES.filter(({ path }) => SYNCHRONOUS.test(path));
    expect(offences(deciding, /\basync\b|\bawait\b|\bPromise\b/)).toEqual([]);
  });

  test('decimal.js is imported in one file, luxon only where time zones are handled', () => {
    const importing = (name: string) =>
      SOURCES.filter(({ text }) => new RegExp(`from '${name}'`).test(text)).map(({ path }) => path);
    expect(importing('decimal.js')).toEqual(['src/values/decimal.ts']);
    expect(importing('luxon')).toEqual(['src/values/instant.ts', 'src/values/wall-time.ts']);
  });

  test('text is cut and its characters are counted by src/values/text/text-length.ts alone', () => {
    // A receiver that holds text, or a limit that says so; a cut at an index that was searched for is none.
    const held = String.raw`(?:\w*(?:text|message|label|agent|reason|name|title|detail|note|word|channel|body|value|why|said)\w*(?:\(\))?|String\([^)]*\)|JSON\.stringify\([^)]*\)\??)`;
    const cut = String.raw`\.(?:slice|substring|substr)\(0, `;
    const patterns = [
      new RegExp(`\\b${held}${cut}(?:\\d+|[A-Z_]+)\\)`),
      new RegExp(`${cut}(?:\\w*(?:LENGTH|CHARS|TEXT)\\w*|[2-9]\\d|\\d{3,})\\)`),
      /\[\.\.\.(?:text|value|label|name)\]\.length/,
    ];
    const others = SOURCES.filter(({ path }) => !KEPT_CUTS.has(path));
    expect(patterns.flatMap((pattern) => offences(others, pattern))).toEqual([]);
  });

  test('no file is longer than 600 lines', () => {
    const lengths = SOURCES.map(({ path, lines }) => ({ path, length: lines.length }));
    expect(lengths.filter(({ length }) => length > 600)).toEqual([]);
  });

  test('no function is longer than 60 lines', () => {
    const planted = (text: string) => longFunctions('planted.ts', text, 60);
    const steps = (count: number): string => '  step();\n'.repeat(count);
    expect(planted(`function f() {\n${steps(59)}}`)).toEqual([{ name: 'f', line: 1, length: 61 }]);
    expect(planted(`const f = () => {\n${steps(58)}};`)).toEqual([]);
    const cases = "    case 'a':\n      return 1;\n".repeat(40);
    expect(planted(`function f(of: A) {\n  switch (of) {\n${cases}  }\n}`)).toEqual([]);
    const found = SOURCES.flatMap(({ path, text }) =>
      longFunctions(path, text, 60).map(({ name }) => `${path} ${name}`),
    );
    expect(found).toEqual([]);
  });

  test('no literal is spread into another, into arguments or over parameters', () => {
    const files = [...SOURCES, ...TESTS, ...BENCHES];
    expect(files.flatMap(({ path, text }) => literalSpreads(path, text))).toEqual([]);
  });

  test('each file begins with a comment on its purpose', () => {
    const silent = SOURCES.filter(({ text }) => !/^(#!.*\n)?\s*(\/\/|\/\*)/.test(text));
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  test('no source file contains a TODO', () => {
    const left = SOURCES.filter(({ text }) => /\b(TODO|FIXME|XXX)\b|not implemented/.test(text));
    expect(left.map(({ path }) => path)).toEqual([]);
  });

  test('file names contain no vague words', () => {
    const vague = /(^|[-/])(utils?|helpers?|common|shared|manager|handler|misc)([-./]|$)/;
    const named = SOURCES.map(({ path }) => path.replace(/^src\//, '')).filter((path) =>
      vague.test(path),
    );
    expect(named).toEqual([]);
  });

  test('no file contains a path of a developer machine or a registry', () => {
    const places =
      /\/(work|home|root)\/[a-z]|registry\.npmjs|\bhttps?:\/\/[^\s/]*(artifact|mirror)/;
    const named = [...SOURCES, ...TESTS, ...DOCUMENTS]
      .filter(({ path }) => path !== 'test/tidy.test.ts')
      .filter(({ text }) => places.test(text));
    expect(named.map(({ path }) => path)).toEqual([]);
  });
});

describe('the handling of errors', () => {
  const unseen = ({ path, text }: Pick<SourceFile, 'path' | 'text'>): string[] =>
    unseenErrors(path, text).map(({ line, text: shown }) => `${path}:${line} ${shown}`);

  test.each([
    ['a catch without the error', 'try { f(); } catch { return false; }'],
    ['a catch that names it only', 'try { f(); } catch (error) { return away(); }'],
    ['its text alone', 'try { f(); } catch (error) { return { why: (error as Error).message }; }'],
    ['its text as an outcome', "p.catch((error) => ({ kind: 'unknown', reason: String(error) }));"],
    [
      'one kind of it, and the rest is ignored',
      'try { f(); } catch (e) { if (e instanceof A) g(); }',
    ],
    ['a second argument of then', "p.then(use, () => 'unavailable');"],
    ['a named function', "p.then(use, away); const away = (): string => 'unavailable';"],
    ['a method of this', 'class A { f() { p.catch(this.#g); } #g(error: unknown) { count(); } }'],
    ['a wrapper that drops it', "try { f(); } catch (error) { throw new Away('away'); }"],
    ['a wrapper of its text', 'try { f(); } catch (error) { throw new Away(String(error)); }'],
    ['a reason that is too short', 'try { f(); } catch { /* Unexamined: fine */ }'],
    ['a reason of another place', '// Unexamined: it is already closed.\nf();\np.catch(() => 0);'],
  ])('a handler that does not look at what it caught is found: %s', (_what, text) => {
    expect(unseenErrors('planted.ts', text)).toHaveLength(1);
  });

  test.each([
    ['thrown again', 'try { f(); } catch (error) { if (error instanceof A) return; throw error; }'],
    [
      'reported',
      "try { f(); } catch (error) { observer.observe({ event: 'failed', where: 'x', error }); }",
    ],
    ['classified', 'p.catch((error) => { throwProgrammingError(error); return 0; });'],
    ['wrapped as a cause', "try { f(); } catch (error) { throw new Away('x', { cause: error }); }"],
    ['kept', 'let kept; try { f(); } catch (error) { kept = error; }'],
    [
      'given to a receiver',
      'p.then(use, this.#options.onFault); p.catch(reject); p.catch(report(1));',
    ],
    [
      'given to a function that reports',
      'p.catch(g); function g(error: unknown) { report(error); }',
    ],
    ['ignored for a reason', '// Unexamined: the socket is already closed.\np.catch(() => 0);'],
  ])('an error is looked at if it is %s', (_what, text) => {
    expect(unseenErrors('planted.ts', text)).toEqual([]);
  });

  test('every handler looks at what it caught, or says why it need not', () => {
    const page = filesBelow('src/page')
      .filter((path) => path.endsWith('.tsx'))
      .map(read);
    expect(page.length).toBeGreaterThan(10);
    expect([...SOURCES, ...page].flatMap(unseen)).toEqual([]);
  });
});

/**
 * Words of a private dialect and of none of the venues' documents. In their place: cancel, report or notify, manual, resting
 * order, periodically, blackout window, unowned, any client.
 */
const PRIVATE_WORDS =
  /\b(taken? back|takes? back|(is|are) told|by hand|what rests|again and again|keeps? still|nobody's|whoever|anew|goes on|asked for|asks for)\b/i;

/** In their place: notify, publish, report or print; request, query or prompt; find, check, poll or read. */
const PRIVATE_METHODS = /(?<![\w$])#?(tell|ask|look)(<[^>(]*>)?\(/;

/** Titles of tests that begin with a verb lack the subject, which the reader of a failure needs. */
const WITHOUT_SUBJECT =
  /^(is|are|was|were|has|have|does|do|may|must|can|cannot|that|whose|refuses|accepts|receives|returns|reports|publishes|gets|keeps|delivers|finds|shows|yields)\b/;

const titlesOf = ({ text }: SourceFile): string[] =>
  [...text.matchAll(/\b(?:test|it)(?:\.\w+(?:\([^)]*\))?)*\(\s*(['`])(.*?)\1/g)].map(
    ([, , title = '']) => title,
  );

describe('the English', () => {
  test('functions and methods are not called tell, ask or look', () => {
    const planted = (text: string) =>
      offences([{ path: 'planted', text, lines: [] }], PRIVATE_METHODS);
    expect(planted('this.#tell(news);')).toHaveLength(1);
    expect(planted('async look<T>(of: string) {}')).toHaveLength(1);
    expect(planted('const outlook = courseOutlook(of); // it may ask(again)')).toEqual([]);
    expect(offences([...SOURCES, ...TESTS, ...BENCHES], PRIVATE_METHODS)).toEqual([]);
  });

  test('titles of tests have a subject', () => {
    const lacking = TESTS.flatMap((file) =>
      titlesOf(file)
        .filter((title) => WITHOUT_SUBJECT.test(title))
        .map((title) => `${file.path}: ${title}`),
    );
    expect(lacking).toEqual([]);
    expect(TESTS.flatMap(titlesOf).length).toBeGreaterThan(1_000);
  });

  test('comments use the words of the field', () => {
    const comments = [...SOURCES, ...TESTS].flatMap(({ path, lines }) =>
      lines.flatMap((line, index) =>
        /^\s*(\/\/|\/?\*)/.test(line) && PRIVATE_WORDS.test(line) ? [`${path}:${index + 1}`] : [],
      ),
    );
    expect(comments).toEqual([]);
  });

  test('titles of tests use the words of the field', () => {
    const titles = TESTS.flatMap(({ path, text }) =>
      [...text.matchAll(/\b(?:test|it|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*(['`])(.*?)\1/g)]
        .map(([, , title = '']) => title)
        .filter((title) => PRIVATE_WORDS.test(title))
        .map((title) => `${path}: ${title}`),
    );
    expect(titles).toEqual([]);
  });
});

/** What fast-check generates at most by default, whatever `maxLength` says. */
const lengthByDefault = (least: number): number => 2 * least + 10;

const lengthOf = (digits: string): number => Number(digits.replaceAll('_', ''));

/** Options of generators that promise longer values than they generate, because they name no size. */
function cappedLengths({ path, text }: SourceFile): string[] {
  return [...text.matchAll(/\{[^{}]*\bmax(?:Length|Keys): ([\d_]+)[^{}]*\}/g)].flatMap(
    ([options, most = '']) => {
      const [, least = '0'] = /\bmin(?:Length|Keys): ([\d_]+)/.exec(options) ?? [];
      const isCapped = lengthOf(most) > lengthByDefault(lengthOf(least));
      return isCapped && !/\bsize:/.test(options)
        ? [`${path} ${options.replace(/\s+/g, ' ')}`]
        : [];
    },
  );
}

/** A fixed pause, and then an expectation at once. An end of a process is no expectation of what came of the pause. */
const PAUSE_THEN_EXPECT =
  /(?:^|\n)(?<above>[^\n]*)\n *await (?:(?:sleep|pause|delay|wait|setTimeout)\(|new Promise[^;]*setTimeout)[^;]*;\s*expect\((?!await [\w.]+\.(?:end|terminate|kill)\()/g;

/** Of {@link PAUSE_THEN_EXPECT}, those not said to show that something does not come. */
function pausesBeforeExpectations({ path, text }: SourceFile): string[] {
  return [...text.matchAll(PAUSE_THEN_EXPECT)]
    .filter(({ groups }) => !/^ *\/\/ Absence: /.test(groups?.['above'] ?? ''))
    .map((found) => `${path}:${lineAt(text, found.index + found[0].length)}`);
}

const ELAPSED = /\b(?:Date|performance)\.now\(\)\s*-|-\s*(?:Date|performance)\.now\(\)/;

/** Expectations of how long something took, written into the expectation or computed before it. */
function timedExpectations({ path, text }: SourceFile): string[] {
  const measured = new Set(
    [...text.matchAll(/\b(?:const|let) (\w+)(?:: number)? = [^;\n]*;/g)].flatMap(
      ([declared, name = '']) => (ELAPSED.test(declared) ? [name] : []),
    ),
  );
  return [...text.matchAll(/\bexpect\(\s*(?:(\w+)\b)?[^;]*;/g)]
    .filter(([expected, name = '']) => ELAPSED.test(expected) || measured.has(name))
    .map(({ index }) => `${path}:${lineAt(text, index)}`);
}

/** This one has the violations that it plants. */
const OTHER_TESTS = TESTS.filter(({ path }) => path !== 'test/tidy.test.ts');

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

describe('the tests', () => {
  test('no test pauses before an expectation, except to show that something does not come', () => {
    const planted = (text: string) =>
      pausesBeforeExpectations({ path: 'planted', text, lines: [] });
    expect(planted('  act();\n  await sleep(300);\n  expect(seen).toBe(1);')).toHaveLength(1);
    const promised = 'await new Promise((done) => setTimeout(done, 5));';
    expect(planted(`  act();\n  ${promised}\n\n  expect(seen).toBe(1);`)).toHaveLength(1);
    const absent = '  // Absence: a second one would have come.\n  await sleep(300);\n';
    expect(planted(`${absent}  expect(seen).toBe(1);`)).toEqual([]);
    const killed = "  act();\n  await sleep(9);\n  expect(await daemon.end('SIGKILL')).toBe(1);";
    expect(planted(killed)).toEqual([]);
    expect(OTHER_TESTS.flatMap(pausesBeforeExpectations)).toEqual([]);
  });

  test('no test expects how long something took by the clock of the machine', () => {
    const planted = (text: string) => timedExpectations({ path: 'planted', text, lines: [] });
    expect(planted('expect(performance.now() - from).toBeLessThan(9);')).toHaveLength(1);
    const before = 'const tookMs = Date.now() - from;\n';
    expect(planted(`${before}expect(tookMs).toBeLessThan(9);`)).toHaveLength(1);
    expect(planted('const tookMs = clock.monotonicMs() - from;\nexpect(tookMs).toBe(9);')).toEqual(
      [],
    );
    expect(OTHER_TESTS.flatMap(timedExpectations)).toEqual([]);
  });

  test('no test and no wait ends sooner than all do, which a busy machine would notice', () => {
    const planted = (text: string) => shortTimeLimits('planted.test.ts', text);
    expect(planted("test('one', () => run(), 30_000);")).toHaveLength(1);
    expect(planted("it.each(rows)('%s', run, 90_000);\nbeforeAll(run, 240_000);")).toHaveLength(1);
    expect(planted("const MS = 5_000;\ndescribe.runIf(true)('a', { timeout: MS }, run);")).toEqual([
      'planted.test.ts:2 5000 ms; accepted: none, or at least 240000',
    ]);
    expect(planted('await until(() => seen, 9_000);')).toHaveLength(1);
    expect(planted('await expect.poll(seen, { timeout: 20_000 }).toBe(1);')).toHaveLength(1);
    expect(planted('const WAIT = { timeout: 59_999 };\npage.waitFor(WAIT);')).toHaveLength(1);
    expect(
      planted("test('two', () => made.until(9_000), 240_000);\nsetInterval(run, 200);"),
    ).toEqual([]);
    expect(
      OTHER_TESTS.filter(({ path }) => !path.startsWith('test/network/')).flatMap(
        ({ path, text }) => shortTimeLimits(path, text),
      ),
    ).toEqual([]);
  });

  test('every test runs: none is skipped, to do, or exclusive', () => {
    expect(offences(TESTS, /\b(test|it|describe)\.(skip|todo|only)\b/)).toEqual([]);
  });

  test('the tests use no mocks', () => {
    expect(offences(TESTS, /\bvi\.(mock|fn|spyOn|stub)/)).toEqual([]);
  });

  test('generators that state a greater length than fast-check gives by default name their size', () => {
    const planted = (text: string) => cappedLengths({ path: 'planted', text, lines: [] });
    expect(planted('fc.array(step, { maxLength: 11 })')).toHaveLength(1);
    expect(planted('fc.array(fc.nat(), {\n  minLength: 5,\n  maxLength: 1_000,\n})')).toHaveLength(
      1,
    );
    expect(planted('fc.dictionary(keys, values, { maxKeys: 20 })')).toHaveLength(1);
    expect(planted('fc.array(step, { maxLength: 10 })')).toEqual([]);
    expect(planted('fc.array(step, { minLength: 40, maxLength: 80 })')).toEqual([]);
    expect(planted("fc.array(step, { maxLength: 11, size: 'max' })")).toEqual([]);
    const files = TESTS.filter(({ lines }) =>
      lines.some((line) => /from 'fast-check';$/.test(line)),
    );
    expect(files.length).toBeGreaterThan(80);
    expect(files.flatMap(cappedLengths)).toEqual([]);
  });
});

/** The one that counts the pages of planted trees has numbers of its own. */
const PLANTED_DECISIONS = new Set(['test/tidy.test.ts', 'test/census/census.test.ts']);

/** Everything that may name a decision: by its number, or by the file of its page. */
const NAMING_DECISIONS = [
  ...['src', 'test', 'bench', 'monitoring', 'config', 'strategies', 'examples'].flatMap((folder) =>
    filesBelow(folder)
      .filter((path) => /\.(tsx?|mjs|ya?ml|sh|py)$/.test(path) && !PLANTED_DECISIONS.has(path))
      .map(read),
  ),
  ...DOCUMENTS,
];

/** Which numbers and pages of decisions a text names. */
const decisionsIn = (text: string) => ({
  numbers: [...text.matchAll(/\bdecisions?\s+(\d+(?:(?:, | and )\d+)*)\b(?! %)/gi)].flatMap(
    ([, named = '']) => named.split(/, | and /).map(Number),
  ),
  pages: [...text.matchAll(/(?:\bdecisions\/|\]\()(\d{4}-[\w-]+\.md)/g)].map(
    ([, page = '']) => page,
  ),
});

describe('the documents', () => {
  test('the decisions are at most forty pages, numbered from 1 without a gap', () => {
    const pages = readdirSync('docs/decisions').toSorted();
    expect(pages.length).toBeLessThanOrEqual(40);
    const numbers = pages.map((_, index) => String(index + 1));
    expect(pages.map((page) => String(Number(page.slice(0, 4))))).toEqual(numbers);
    const titles = pages.map((page) => read(join('docs/decisions', page)).lines[0] ?? '');
    expect(titles.map((title) => /^# (\d+)\. [A-Z]/.exec(title)?.[1])).toEqual(numbers);
  });

  test('every decision that is named has a page', () => {
    const planted =
      'Decisions 2, 14 and 31. See `docs/decisions/0007-a-page.md`, [this](0008-b.md).';
    expect(decisionsIn(planted)).toEqual({
      numbers: [2, 14, 31],
      pages: ['0007-a-page.md', '0008-b.md'],
    });
    const pages = new Set(readdirSync('docs/decisions'));
    const named = NAMING_DECISIONS.map(({ path, text }) => ({ path, ...decisionsIn(text) }));
    expect(named.flatMap(({ numbers }) => numbers).length).toBeGreaterThan(10);
    expect(named.flatMap(({ pages: files }) => files).length).toBeGreaterThan(10);
    const missing = named.flatMap(({ path, numbers, pages: files }) => [
      ...numbers.filter((of) => of < 1 || of > pages.size).map((of) => `${path}: decision ${of}`),
      ...files.filter((file) => !pages.has(file)).map((file) => `${path}: ${file}`),
    ]);
    expect(missing).toEqual([]);
  });

  test('the documents name only existing files', () => {
    const missing = DOCUMENTS.flatMap(({ path, text }) =>
      [...text.matchAll(/`((?:src|test|config|strategies|docs|bench)\/[\w./-]+\.\w+)`/g)]
        .map(([, named = '']) => named)
        .filter((named) => !existsSync(named))
        .map((named) => `${path}: ${named}`),
    );
    expect(missing).toEqual([]);
  });

  test('ARCHITECTURE.md has at most 250 lines of at most 110 characters', () => {
    const lines = DOCUMENTS.find(({ path }) => path === 'ARCHITECTURE.md')
      ?.text.trimEnd()
      .split('\n');
    expect(lines?.length).toBeLessThanOrEqual(250);
    expect(lines?.filter((line) => line.length > 110)).toEqual([]);
  });

  test('all documents together have at most 80,000 words', () => {
    // The bars of tables and the dashes of lists are no words.
    const words = DOCUMENTS.map(({ text }) => text.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0);
    expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(80_000);
  });
});
