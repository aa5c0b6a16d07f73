// A fault in a configuration, with the path of the option it concerns.

export interface Finding {
  readonly path: readonly (string | number)[];
  readonly message: string;
}
