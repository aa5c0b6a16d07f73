// Waits for a promise with a time limit. The operation itself continues; only the waiting ends.

export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
}

/** Rejects with {@link DeadlinePassed} if `promise` is still pending after `limitMs`. */
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
