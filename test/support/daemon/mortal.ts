// A process that can die at any await: the calls of its ports are counted, and from the chosen one on it gets no
// replies and its requests have no effect.

export interface Life {
  /** The number of awaits passed so far. */
  count: number;
  /** The number of the await at which the process dies; 0 = never. */
  readonly dieAt: number;
  isDead: boolean;
  /** The call at which it died. */
  where?: string;
}

export const life = (dieAt: number): Life => ({ count: 0, dieAt, isDead: false });

const never = <T>(): Promise<T> => new Promise(() => undefined);

function pass(one: Life, where: string): boolean {
  one.count += 1;
  if (one.count === one.dieAt) {
    one.isDead = true;
    one.where = where;
  }
  return !one.isDead;
}

/** The port as seen by the process: any call of `methods` can be the last one it makes or sees completed. */
export function mortal<T extends object>(port: T, one: Life, methods: readonly (keyof T)[]): T {
  return new Proxy(port, {
    get(target, name, receiver) {
      const found: unknown = Reflect.get(target, name, target);
      if (typeof found !== 'function') return Reflect.get(target, name, receiver);
      const call = found.bind(target) as (...given: unknown[]) => unknown;
      if (!methods.includes(name as keyof T)) return call;
      return async (...given: unknown[]) => {
        if (!pass(one, `before ${String(name)}`)) return never();
        const result = await call(...given);
        return pass(one, `after ${String(name)}`) ? result : never();
      };
    },
  });
}
