// Something wrong with a configuration, by the path of the option it is about.

export interface Finding {
  readonly path: readonly (string | number)[];
  readonly message: string;
}
