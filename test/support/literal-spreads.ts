// Finds spreads of literals, `{ ...{ a, b } }`, `[...[a, b]]` and parameters `(...[a, b]: [A, B])`: they pack several fields,
// elements or parameters into one line and mean nothing else.
import ts from 'typescript';

/** The lines that spread a literal, each with its number. */
export function literalSpreads(path: string, text: string): readonly string[] {
  if (!/\.\.\.\(?[[{]/.test(text)) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kindOf(path));
  const lines = text.split('\n');
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (spreadsLiteral(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      found.push(`${path}:${line + 1} ${lines[line]?.trim() ?? ''}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function spreadsLiteral(node: ts.Node): boolean {
  if (ts.isSpreadAssignment(node)) return ts.isObjectLiteralExpression(bare(node.expression));
  if (ts.isSpreadElement(node)) return ts.isArrayLiteralExpression(bare(node.expression));
  if (ts.isRestTypeNode(node)) return ts.isTupleTypeNode(node.type);
  const isRest = ts.isParameter(node) && node.dotDotDotToken !== undefined;
  return isRest && ts.isArrayBindingPattern(node.name) && isTuple(node.type);
}

function isTuple(type: ts.TypeNode | undefined): boolean {
  return type !== undefined && ts.isTupleTypeNode(type);
}

function bare(expression: ts.Expression): ts.Expression {
  const isAround =
    ts.isParenthesizedExpression(expression) ||
    ts.isAsExpression(expression) ||
    ts.isSatisfiesExpression(expression);
  return isAround ? bare(expression.expression) : expression;
}

function kindOf(path: string): ts.ScriptKind {
  return path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
}
