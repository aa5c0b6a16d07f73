// A program on the types of the client, made from the method table: for each method what it accepts compiles, and a
// param nobody knows, a missing one and one of another kind do not.

import type { Method } from '../../src/gateway/rid/method.ts';
import { METHODS } from '../../src/gateway/rid/method-table.ts';
import { type JsonSchema, jsonSchemaOf } from '../../src/main/json-schema.ts';

const HEAD = `
import type { MethodName, MethodParams, MethodResults } from 'twapd/client';
declare function take<N extends keyof MethodParams>(name: N, params: MethodParams[N]): void;
type IsKnown<T> = 0 extends 1 & T ? false : unknown extends T ? false : true;
declare function gives<N extends keyof MethodResults>(isKnown: IsKnown<MethodResults[N]>): void;
type IsCalled<N extends string> = N extends MethodName ? true : false;
declare function calls<N extends string>(isCalled: IsCalled<N>): void;
`;

export function typedMethodsProgram(): string {
  return [HEAD, ...[...METHODS.values()].flatMap(linesOf)].join('\n');
}

function linesOf(method: Method): string[] {
  const { name, example, isWebSocketOnly } = method;
  const { properties = {}, required = [] }: JsonSchema = jsonSchemaOf(method.params);
  const wrong = [
    `{ ...${text(example)}, nobodyKnows: 1 }`,
    ...Object.keys(properties).map((param) => `{ ...${text(example)}, ${param}: () => 0 }`),
    ...required.map((missing) =>
      text(Object.fromEntries(Object.entries(example).filter(([param]) => param !== missing))),
    ),
  ];
  return [
    `take('${name}', ${text(example)});`,
    `gives<'${name}'>(true);`,
    `calls<'${name}'>(${!isWebSocketOnly});`,
    ...wrong.flatMap((params) => ['// @ts-expect-error', `take('${name}', ${params});`]),
  ];
}

const text = (params: unknown): string => JSON.stringify(params);
