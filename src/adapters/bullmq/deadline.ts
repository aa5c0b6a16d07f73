// A promise that is given a time limit. The promise itself goes on; only the waiting ends.

export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
}

/** Rejects with {@link DeadlinePassed} when `promise` has not settled within `limitMs`. */
export async function withDeadline<T>(
  promise: Promise<T>,
  limitMs: number,
  what: string,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new DeadlinePassed(`${what} took longer than ${limitMs} ms`));
    }, limitMs);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}
