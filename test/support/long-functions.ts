// Finds functions that are longer than a reader holds in mind. A function is as long as the lines from its first to its last,
// without its comment; what stands inside it counts with it. Tables are not counted: a function that is one switch over
// the kinds of a thing, or one template, or one object of values.
import ts from 'typescript';

export interface LongFunction {
  readonly name: string;
  readonly line: number;
  readonly length: number;
}

/** Functions with a body of more than `most` lines, in the order of the file. */
export function longFunctions(path: string, text: string, most: number): readonly LongFunction[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kindOf(path));
  const found: LongFunction[] = [];
  const lineAt = (at: number): number => file.getLineAndCharacterOfPosition(at).line + 1;
  const visit = (node: ts.Node): void => {
    if (
      ts.isFunctionLike(node) &&
      'body' in node &&
      node.body !== undefined &&
      !isTable(node.body)
    ) {
      const line = lineAt(node.getStart(file));
      const length = lineAt(node.end) - line + 1;
      if (length > most) found.push({ name: nameOf(node), line, length });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isTable(body: ts.Node): boolean {
  if (ts.isBlock(body)) {
    const [only, ...others] = body.statements;
    return only !== undefined && others.length === 0 && ts.isSwitchStatement(only);
  }
  if (ts.isParenthesizedExpression(body)) return isTable(body.expression);
  if (ts.isObjectLiteralExpression(body)) return !hasFunction(body);
  return ts.isTemplateExpression(body);
}

const hasFunction = (node: ts.Node): boolean =>
  ts.isFunctionLike(node) || (ts.forEachChild(node, hasFunction) ?? false);

function nameOf({ name, parent }: ts.SignatureDeclaration): string {
  if (name !== undefined) return name.getText();
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)
    ? parent.name.getText()
    : 'a function without a name';
}

function kindOf(path: string): ts.ScriptKind {
  return path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
}
