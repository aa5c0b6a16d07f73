// Wraps a port: some methods are intercepted, all others go straight to the port. The class is
// created once for each kind of port: a proxy, or closures for each life, would cost more than the port itself.

/** Who has the calls of some methods of a port. */
export interface Through {
  pass(name: string, port: Port, given: readonly unknown[]): unknown;
}

/** A port by the names of its methods. */
export type Port = Readonly<Record<string, (...given: unknown[]) => unknown>>;

const PORT = Symbol('port');
const THROUGH = Symbol('through');

class Front {
  readonly [PORT]: Port;
  readonly [THROUGH]: Through;

  constructor(port: object, through: Through) {
    this[PORT] = port as Port;
    this[THROUGH] = through;
  }
}

const STRAIGHT: Through = { pass: (name, port, given) => port[name]?.(...given) };

const fronts = new WeakMap<ReadonlySet<string>, typeof Front>();

/**
 * `port` with its `methods` called through `through`. One set stands for one kind of port, which always has the same
 * names; properties of its own can be put over what the result has of the port.
 */
export function frontOf<T extends object>(
  port: T,
  methods: ReadonlySet<string>,
  through: Through = STRAIGHT,
): T {
  let made = fronts.get(methods);
  if (made === undefined) {
    made = frontOfKind(port, methods);
    fronts.set(methods, made);
  }
  return new made(port, through) as object as T;
}

function frontOfKind(first: object, methods: ReadonlySet<string>): typeof Front {
  const made = class extends Front {};
  for (const name of namesOf(first)) {
    const isMethod = typeof (first as Port)[name] === 'function';
    const property = isMethod ? { value: call(name, methods), writable: true } : read(name);
    Object.defineProperty(made.prototype, name, property);
  }
  return made;
}

function call(name: string, methods: ReadonlySet<string>) {
  return methods.has(name)
    ? function (this: Front, ...given: unknown[]): unknown {
        return this[THROUGH].pass(name, this[PORT], given);
      }
    : function (this: Front, ...given: unknown[]): unknown {
        return this[PORT][name]?.(...given);
      };
}

const read = (name: string) => ({
  get(this: Front): unknown {
    return this[PORT][name];
  },
});

/** Its own and those of its classes. */
function namesOf(port: object): ReadonlySet<string> {
  const names = new Set<string>();
  for (let one = port; one !== Object.prototype; one = Object.getPrototypeOf(one)) {
    for (const name of Object.getOwnPropertyNames(one)) names.add(name);
  }
  names.delete('constructor');
  return names;
}
