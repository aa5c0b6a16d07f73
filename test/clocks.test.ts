// One decision has one instant. Two readings of a clock in a function that does not wait in between are two instants, which
// may lie on both sides of a second, a day or a deadline.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Functions that read a clock twice, because time passes between. */
const MEASURES = new Set<string>([]);

/** Of this machine's time of day, or of a venue's; `performance.now()` is there to measure. */
const READING = /^(now|venueNow)\(\)/;
const IS_MEASURED = /performance\.$/;

interface Frame {
  readonly line: number;
  /** Of brackets around it. */
  readonly depth: number;
  readonly hasBlock: boolean;
  /** The clocks read since it last waited, on the path so far. */
  readings: readonly string[];
  /** It waits in this statement, after its readings. */
  waits: boolean;
}

/** A block that ends with `return` or `throw` does not lead to what follows. */
interface Block {
  readonly isFunction: boolean;
  readonly readings: readonly string[];
  leaves: boolean;
}

/** The lines of the functions of a text that read a clock twice without waiting in between. */
function repeatedReadings(text: string): number[] {
  const code = withoutWords(text);
  const found = new Set<number>();
  const frames: Frame[] = [{ line: 1, depth: 0, hasBlock: true, readings: [], waits: false }];
  const blocks: Block[] = [];
  let [depth, line] = [0, 1];
  const frame = (): Frame => frames.at(-1) as Frame;
  const endShort = (): void => {
    while (!frame().hasBlock && frame().depth >= depth) frames.pop();
  };
  const endWait = (): void => {
    if (!frame().waits) return;
    frame().readings = [];
    frame().waits = false;
  };
  for (let at = 0; at < code.length; at += 1) {
    const char = code[at];
    if (char === '\n') line += 1;
    else if (char === '{') {
      if (/\)\s*$/.test(code.slice(Math.max(0, at - 20), at))) endWait();
      const isFunction = opensFunction(code.slice(Math.max(0, at - 300), at));
      blocks.push({ isFunction, readings: frame().readings, leaves: false });
      if (isFunction) frames.push({ line, depth, hasBlock: true, readings: [], waits: false });
      depth += 1;
    } else if (char === '(' || char === '[') depth += 1;
    else if (char === ')' || char === ']' || char === '}') {
      endShort();
      depth -= 1;
      if (char !== '}') continue;
      const block = blocks.pop();
      if (block?.isFunction) frames.pop();
      else if (block?.leaves) frame().readings = block.readings;
    } else if (char === ',' || char === ';') {
      endShort();
      if (char === ';') endWait();
    } else if (code.startsWith('=>', at) && !/^=>\s*\{/.test(code.slice(at, at + 10))) {
      frames.push({ line, depth, hasBlock: false, readings: [], waits: false });
    } else if (isWordAt(code, at)) {
      const rest = code.slice(at, at + 20);
      if (/^(await|yield)\b/.test(rest)) frame().waits = true;
      const block = blocks.at(-1);
      const isLast =
        /^(return|throw|continue|break)\b/.test(rest) &&
        /[{};]\s*$/.test(code.slice(Math.max(0, at - 80), at));
      if (isLast && block !== undefined) block.leaves = true;
      const clock = READING.exec(rest)?.[1];
      const before = code.slice(Math.max(0, at - 12), at);
      if (clock === undefined || /(get|function|async|static)\s+$/.test(before)) continue;
      if (IS_MEASURED.test(before)) continue;
      if (frame().readings.includes(clock)) found.add(line);
      frame().readings = [...frame().readings, clock];
    }
  }
  return [...found];
}

const isWordAt = (code: string, at: number): boolean =>
  /[\w$]/.test(code[at] ?? '') && !/[\w$]/.test(code[at - 1] ?? ' ');

const opensFunction = (before: string): boolean =>
  /=>\s*$/.test(before) ||
  (/\)(\s*:[^;{}=]+)?\s*$/.test(before) &&
    !/\b(if|for|while|switch|catch)( await)? ?\([^;{}]*\)\s*$/.test(before) &&
    !/\bfor \([^{}]*\)\s*$/.test(before));

/** The text with blanks in place of comments and strings. */
const withoutWords = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/(^|\s)\/\/.*$/gm, '$1')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''");

const sources = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name));

describe('readings of a clock', () => {
  test.each([
    ['in one expression', 'const today = now() - (now() % DAY_MS);', 1],
    ['in two statements', 'f(): void {\n  const a = clock.now();\n  b(clock.now());\n}', 1],
    [
      'in a branch and after it',
      'f(): void {\n  if (now() > a) {\n    b();\n  }\n  c(now());\n}',
      1,
    ],
    ['before and after it waits', 'async f() {\n  a(now());\n  await b();\n  c(now());\n}', 0],
    ['in what it waits for and after', 'async f() {\n  await b(now());\n  c(now());\n}', 0],
    ['of two clocks', 'f() {\n  return venue.venueNow() - now();\n}', 0],
    ['in functions of their own', 'const a = () => now();\nconst b = () => now();', 0],
    ['in branches that leave', 'f() {\n  if (a) {\n    return now();\n  }\n  return now();\n}', 0],
    ['in comments', 'f() {\n  // now() and now()\n  return now();\n}', 0],
  ])('a planted text with readings %s is judged', (_name, text, expected) => {
    expect(repeatedReadings(text)).toHaveLength(expected);
  });

  test('no function reads a clock twice for one decision, except those that measure', () => {
    const found = sources.flatMap((path) => {
      const text = readFileSync(path, 'utf8');
      const lines = text.split('\n');
      return repeatedReadings(text).map((line) => `${path}: ${lines[line - 1]?.trim()}`);
    });
    expect(found.filter((one) => !MEASURES.has(one))).toEqual([]);
    expect([...MEASURES].filter((one) => !found.includes(one))).toEqual([]);
  });
});

/** Files whose timers have a variable delay, by what bounds it. A delay that users give without a greatest value needs a clock. */
const BOUNDED: Readonly<Record<string, readonly string[]>> = {
  'an option of the configuration, which has a greatest value': [
    'src/adapters/bullmq/canary.ts',
    'src/adapters/bullmq/reset-watch.ts',
    'src/adapters/engine-link/open-link.ts',
    'src/adapters/object-store/s3-store.ts',
    'src/adapters/telemetry/metrics/event-loop-lag.ts',
    'src/adapters/telemetry/observer/gauges.ts',
    'src/gateway/server.ts',
    'src/main/lifecycle/shutdown.ts',
    'src/main/lifecycle/readiness.ts',
  ],
  'a back-off, or a rest between two tries': [
    'src/adapters/engine-link/gateway-line.ts',
    'src/adapters/postgres/commit/commit-lane.ts',
    'src/adapters/postgres/commit/group-commit.ts',
    'src/adapters/postgres/summaries/summary-writer.ts',
    'src/adapters/telemetry/log/failure-log.ts',
    'src/gateway/auth/keys-in-force.ts',
    'src/gateway/client/stream-client.ts',
    'src/gateway/order-api/session/session-orders.ts',
    'src/main/gateway/wire-gateway.ts',
    'src/main/parts/supervisor.ts',
    'src/page/link/channel-socket.ts',
    'src/page/link/news-socket.ts',
    'src/page/model/instruments/reference-data.ts',
    'src/page/model/instruments/tickers.ts',
    'src/page/model/portfolio/followed-portfolio.ts',
  ],
  'a constant of the caller': [
    'src/adapters/postgres/hung-server.ts',
    'src/adapters/bullmq/add-batch.ts',
    'src/adapters/bullmq/deadline.ts',
    'src/adapters/engine-link/pending-calls.ts',
    'src/gateway/deribit/channels/index-sources.ts',
    'src/gateway/order-api/channels/account-memories.ts',
    'src/gateway/order-api/channels/market-feeds.ts',
    'src/gateway/order-api/channels/paced.ts',
    'src/gateway/order-api/session/open-connections.ts',
    'src/gateway/wire/broadcast.ts',
    'src/main/commands/record/record-progress.ts',
    'src/page/model/operations/reading.ts',
    'src/page/model/ticket/planning.ts',
  ],
};

/** The calls of `setTimeout` and `setInterval` of Node.js whose delay has no constant in it. */
function unboundedTimers(text: string): number[] {
  const code = withoutWords(text);
  const found: number[] = [];
  for (const match of code.matchAll(/(?<![.\w])(setTimeout|setInterval)\((?!\w+: )/g)) {
    const delay = lastArgument(code, match.index + match[0].length);
    const isBounded =
      /\b[A-Z][A-Z\d]*(_[A-Z\d]+)+\b|\b[A-Z]{3,}\b/.test(delay) || /^[\d_\s]+$/.test(delay);
    if (!isBounded) found.push(code.slice(0, match.index).split('\n').length);
  }
  return found;
}

function lastArgument(code: string, from: number): string {
  let [depth, begin] = [0, from];
  for (let at = from; at < code.length; at += 1) {
    const char = code[at] as string;
    if ('([{'.includes(char)) depth += 1;
    if (')]}'.includes(char)) depth -= 1;
    if (depth < 0) return code.slice(begin, at);
    if (char === ',' && depth === 0 && code.slice(at + 1).trimStart()[0] !== ')') begin = at + 1;
  }
  return '';
}

describe('timers of Node.js, which end at once when their delay is above 2^31 milliseconds', () => {
  test.each([
    ['a constant', 'setTimeout(then, REST_MS)', 0],
    ['a number', 'setTimeout(() => a(b, c), 500)', 0],
    ['the smaller of a variable and a constant', 'setTimeout(then, Math.min(ms, SLEEP_MS_MAX))', 0],
    ['a variable', 'setTimeout(ended.resolve, settings.forMs)', 1],
    ['a variable on a line of its own', 'setTimeout(\n  () => {},\n  untilMs - nowMs,\n)', 1],
  ])('a planted timer with a delay of %s is judged', (_name, text, expected) => {
    expect(unboundedTimers(text)).toHaveLength(expected);
  });

  test('no timer of the source has a delay that nothing bounds: longer ones are those of a clock', () => {
    const found = sources.filter((path) => unboundedTimers(readFileSync(path, 'utf8')).length > 0);
    expect(found.toSorted()).toEqual(Object.values(BOUNDED).flat().toSorted());
  });
});
