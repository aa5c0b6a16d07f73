// What counts as a mistake of the program, and what does not.
import { AssertionError } from 'node:assert';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { LedgerFailure } from '../../src/ports/ledger.ts';
import { InvariantBroken } from '../../src/values/assert.ts';
import {
  isProgrammingError,
  throwProgrammingError,
} from '../../src/values/errors/programming-error.ts';

const caught = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

const nothing = undefined as unknown as { readonly field: string };

describe('a mistake of the program', () => {
  test.each<[string, unknown]>([
    ['a field of undefined', caught(() => nothing.field)],
    ['a length that is none', caught(() => new Array(-1))],
    ['text that is no JSON', caught(() => JSON.parse('{'))],
    ['a failed assertion of ours', new InvariantBroken('x')],
    ['a failed assertion of a package', new AssertionError({ message: 'x' })],
    ['one that a store wraps', new LedgerFailure('away', true, new RangeError('x'))],
    ['one of several', new AggregateError([new Error('a'), new TypeError('b')])],
  ])('%s is one', (_what, error) => {
    expect(isProgrammingError(error)).toBe(true);
    expect(() => throwProgrammingError(error)).toThrow(error as Error);
  });

  test.each<[string, unknown]>([
    ['a failure of the system', Object.assign(new Error('x'), { code: 'ECONNREFUSED' })],
    ['a store that is away', new LedgerFailure('away', true, new Error('ECONNRESET'))],
    ['what is no error', 'TypeError'],
    ['several failures', new AggregateError([new Error('a'), new Error('b')])],
  ])('%s is none', (_what, error) => {
    expect(isProgrammingError(error)).toBe(false);
    expect(() => throwProgrammingError(error)).not.toThrow();
  });

  test('a refused connection is none, though fetch throws a TypeError', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((listening) => server.once('listening', listening));
    const { port } = server.address() as { readonly port: number };
    await new Promise((closed) => server.close(closed));
    const error = await fetch(`http://127.0.0.1:${port}`).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(isProgrammingError(error)).toBe(false);
  });

  test('causes that form a circle are looked at once', () => {
    const [one, two] = [new Error('one'), new Error('two')];
    one.cause = two;
    two.cause = one;
    expect(isProgrammingError(one)).toBe(false);
  });
});
