// Generates a program against the client's types from the tables of methods and operations: for each of them
// accepted params compile, and an unknown field, a missing field and a field of the wrong type do not.

import { REST_EXAMPLES } from '../../../src/gateway/docs/rest-examples.ts';
import type { Method } from '../../../src/gateway/order-api/method.ts';
import { METHODS } from '../../../src/gateway/order-api/method-table.ts';
import { PORTFOLIO_METHODS } from '../../../src/gateway/portfolios/portfolio-methods.ts';
import { type JsonSchema, jsonSchemaOf } from '../../../src/main/json-schema.ts';

const HEAD = `
import type { Client, MethodName, MethodParams, MethodResults } from 'twapd/client';
declare const client: Client;
declare function take<N extends keyof MethodParams>(name: N, params: MethodParams[N]): void;
type IsKnown<T> = 0 extends 1 & T ? false : unknown extends T ? false : true;
declare function gives<N extends keyof MethodResults>(isKnown: IsKnown<MethodResults[N]>): void;
type IsCalled<N extends string> = N extends MethodName ? true : false;
declare function calls<N extends string>(isCalled: IsCalled<N>): void;
`;

export function typedMethodsProgram(): string {
  const ofMethods = [...METHODS.values()].flatMap(linesOf);
  return [HEAD, ...ofMethods, ...Object.entries(OPERATIONS).flatMap(linesOfOperation)].join('\n');
}

function linesOf(method: Method): string[] {
  const { name, example, isWebSocketOnly } = method;
  const wrong = wrongOf(example, jsonSchemaOf(method.params));
  return [
    `take('${name}', ${text(example)});`,
    `gives<'${name}'>(true);`,
    `calls<'${name}'>(${!isWebSocketOnly});`,
    ...wrong.flatMap((params) => ['// @ts-expect-error', `take('${name}', ${params});`]),
  ];
}

/** The client methods that send a given body, by operation. */
const OPERATIONS = {
  submit: 'submit',
  plan: 'plan',
  amend: 'amend',
  'cancel-all': 'cancelAll',
} as const;

/** Operations whose schedule depends on the kind of portfolio: the schema's fields leave it optional. */
const SCHEDULED: readonly string[] = ['submit', 'plan'];

function linesOfOperation([name, method]: readonly [string, string]): string[] {
  const operation = PORTFOLIO_METHODS.find((one) => one.name === name);
  const example = REST_EXAMPLES[name]?.body;
  if (operation === undefined || example === undefined) throw new Error(`no operation ${name}`);
  const wrong = [
    ...wrongOf(example, jsonSchemaOf(operation.asked)),
    ...(SCHEDULED.includes(name) ? [text(without(example, 'twapTrade'))] : []),
  ];
  return [
    `client.${method}(${text(example)});`,
    ...wrong.flatMap((body) => ['// @ts-expect-error', `client.${method}(${body});`]),
  ];
}

function wrongOf(example: object, { properties = {}, required = [] }: JsonSchema): string[] {
  return [
    `{ ...${text(example)}, nobodyKnows: 1 }`,
    ...Object.keys(properties).map((field) => `{ ...${text(example)}, ${field}: () => 0 }`),
    ...required.map((missing) => text(without(example, missing))),
  ];
}

const without = (example: object, missing: string): object =>
  Object.fromEntries(Object.entries(example).filter(([field]) => field !== missing));

const text = (params: unknown): string => JSON.stringify(params);
