import { expect, test } from 'vitest';
import { FanOut } from '../../src/values/fan-out.ts';

const rethrow = (error: unknown): never => {
  throw error;
};

test('every listener hears the same order, also when one of them sends more', () => {
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

test('what one listener throws is reported and kept from nobody else', () => {
  const faults: unknown[] = [];
  const fanOut = new FanOut<string>((error) => faults.push(error));
  const heard: string[] = [];
  fanOut.add(() => rethrow(new Error('deaf')));
  fanOut.add((value) => heard.push(value));
  fanOut.send(['a', 'b']);
  expect(heard).toEqual(['a', 'b']);
  expect(faults).toHaveLength(2);
});

test('one function added twice is two listeners, and each leaves by itself', () => {
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
