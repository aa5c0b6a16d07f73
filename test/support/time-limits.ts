// Finds time limits of tests and of waits that are shorter than those which hold without them: what hangs is ended by the limit of all, and
// a shorter one ends what a busy machine has not finished yet.
import ts from 'typescript';

/** Of a test and of a hook, as vitest.config.ts sets it. */
const TEST_MS = 240_000;
/** Of a wait for a state, as `until` and vitest.config.ts have it. */
const WAIT_MS = 60_000;
const TESTS = new Set([
  'test',
  'it',
  'describe',
  'beforeAll',
  'beforeEach',
  'afterAll',
  'afterEach',
]);
const WAITS = new Set(['until', 'poll', 'waitFor']);

/** The lines with such a limit, each with its number. Limits that are computed are not found. */
export function shortTimeLimits(path: string, text: string): readonly string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const constants = constantsOf(file);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    // A wait whose end is caught is a try.
    if (ts.isCallExpression(node) && !isCaught(node)) {
      const least = leastOf(node);
      const limit = least === undefined ? undefined : limitOf(node, constants);
      if (least !== undefined && limit !== undefined && limit < least) {
        const end = file.getLineAndCharacterOfPosition(node.getEnd());
        found.push(`${path}:${end.line + 1} ${limit} ms; accepted: none, or at least ${least}`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const isCaught = ({ parent }: ts.CallExpression): boolean =>
  ts.isPropertyAccessExpression(parent) && parent.name.text === 'catch';

function leastOf({ expression }: ts.CallExpression): number | undefined {
  if (TESTS.has(rootOf(expression))) return TEST_MS;
  const called = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  // `until` of an object is about a time of its own.
  const isOwn = ts.isPropertyAccessExpression(expression) && called.getText() === 'until';
  return ts.isIdentifier(called) && WAITS.has(called.text) && !isOwn ? WAIT_MS : undefined;
}

/** The first word: `test` of `test.each(table)`. */
function rootOf(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isCallExpression(expression) || ts.isPropertyAccessExpression(expression)) {
    return rootOf(expression.expression);
  }
  return ts.isTaggedTemplateExpression(expression) ? rootOf(expression.tag) : '';
}

type Constants = ReadonlyMap<string, ts.Expression>;

function constantsOf(file: ts.SourceFile): Constants {
  const found = new Map<string, ts.Expression>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      found.set(node.name.text, node.initializer);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function limitOf(call: ts.CallExpression, constants: Constants): number | undefined {
  const given = call.arguments.map((one) => resolved(one, constants));
  const named = given
    .filter(ts.isObjectLiteralExpression)
    .flatMap(({ properties }) => [...properties])
    .filter(ts.isPropertyAssignment)
    .find(({ name }) => name.getText() === 'timeout');
  const last = named?.initializer ?? (given.length > 1 ? given.at(-1) : undefined);
  const value = last === undefined ? undefined : resolved(last, constants);
  return value !== undefined && ts.isNumericLiteral(value) ? Number(value.text) : undefined;
}

const resolved = (expression: ts.Expression, constants: Constants): ts.Expression =>
  (ts.isIdentifier(expression) ? constants.get(expression.text) : undefined) ?? expression;
