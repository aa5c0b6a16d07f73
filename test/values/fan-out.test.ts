import { expect, test } from 'vitest';
import { FanOut } from '../../src/values/fan-out.ts';

const rethrow = (error: unknown): never => {
  throw error;
};

test('all listeners receive values in the same order, even if one of them emits another value', () => {
  const fanOut = new FanOut<number>(rethrow);
  const first: number[] = [];
  const second: number[] = [];
  fanOut.add((value) => {
    first.push(value);
    if (value === 1) fanOut.send([10]);
  });
  fanOut.add((value) => second.push(value));
  fanOut.send([1, 2]);
  expect(first).toEqual([1, 2, 10]);
  expect(second).toEqual(first);
});

test('an exception of one listener is reported and does not affect the others', () => {
  const faults: unknown[] = [];
  const fanOut = new FanOut<string>((error) => faults.push(error));
  const heard: string[] = [];
  fanOut.add(() => rethrow(new Error('deaf')));
  fanOut.add((value) => heard.push(value));
  fanOut.send(['a', 'b']);
  expect(heard).toEqual(['a', 'b']);
  expect(faults).toHaveLength(2);
});

test('one function subscribed twice is two listeners, each with its own unsubscribe', () => {
  const fanOut = new FanOut<string>(rethrow);
  const heard: string[] = [];
  const listen = (value: string): void => {
    heard.push(value);
  };
  const leave = fanOut.add(listen);
  fanOut.add(listen);
  fanOut.send(['a']);
  leave();
  fanOut.send(['b']);
  expect(heard).toEqual(['a', 'a', 'b']);
});
