// Finds handlers of errors that do not look at what they caught: each `catch` clause, each second argument of `then`, each
// argument of `catch`. An error is looked at if it is thrown or returned as it is, kept, given to what reports or classifies
// it, or wrapped as the cause of another, which `isProgrammingError` sees through. Its text alone is not enough.
import ts from 'typescript';

export interface Unseen {
  readonly line: number;
  readonly text: string;
}

/** Functions of other files, by name, that report an error, decide by its kind, or pass it on. */
const RECEIVERS = new Set([
  'isProgrammingError',
  'throwProgrammingError',
  'observe',
  'report',
  'fault',
  'fatal',
  'reject',
  'giveUp',
  'refused',
  'onFault',
  'onFatal',
  'onBroken',
  'onError',
  'onUnanswered',
  // Make of a failure that is known what an operator can do, and return any other as it is.
  'archiveFailure',
  'backupFailure',
  'cannotListen',
  'writingFailed',
  'unwritable',
  // Of Fastify.
  'done',
  'send',
]);

/** A handler may ignore an error for a reason, which stands in a comment of this form at its place. */
const REASON = /\bUnexamined: \S.{15,}/;

const DEPTH_MAX = 4;

export function unseenErrors(path: string, text: string): readonly Unseen[] {
  if (!/\bcatch\s*[({]|\.then\(/.test(text)) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kindOf(path));
  const found: Unseen[] = [];
  const declared = declarations(file);
  const visit = (node: ts.Node): void => {
    const handler = handlerOf(node);
    if (handler !== undefined && !looksAt(handler, declared, 0) && !hasReason(handler, file)) {
      const { line } = file.getLineAndCharacterOfPosition(handler.getStart(file));
      const [shown = ''] = handler.getText(file).split('\n', 1);
      found.push({ line: line + 1, text: shown });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function kindOf(path: string): ts.ScriptKind {
  if (path.endsWith('.tsx')) return ts.ScriptKind.TSX;
  return path.endsWith('.mjs') ? ts.ScriptKind.JS : ts.ScriptKind.TS;
}

function handlerOf(node: ts.Node): ts.Node | undefined {
  if (ts.isCatchClause(node)) return node;
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) {
    return undefined;
  }
  const [first, second] = node.arguments;
  const { text } = node.expression.name;
  if (text === 'catch') return first;
  return text === 'then' ? second : undefined;
}

type Declared = ReadonlyMap<string, readonly ts.Node[]>;

/** The functions and methods of the file, by name. */
function declarations(file: ts.SourceFile): Declared {
  const all = new Map<string, ts.Node[]>();
  const note = (name: ts.Node | undefined, node: ts.Node): void => {
    if (name === undefined || !(ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) return;
    all.set(name.text, [...(all.get(name.text) ?? []), node]);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) note(node.name, node);
    if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) {
      const { initializer } = node;
      if (initializer !== undefined && isFunction(initializer)) note(node.name, initializer);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return all;
}

const isFunction = (node: ts.Node): node is ts.ArrowFunction | ts.FunctionExpression =>
  ts.isArrowFunction(node) || ts.isFunctionExpression(node);

function looksAt(handler: ts.Node, declared: Declared, depth: number): boolean {
  if (ts.isCatchClause(handler)) {
    const name = handler.variableDeclaration?.name;
    return (
      name !== undefined && ts.isIdentifier(name) && passesOn(handler.block, name, declared, depth)
    );
  }
  if (isFunction(handler) || ts.isFunctionDeclaration(handler) || ts.isMethodDeclaration(handler)) {
    return handler.parameters.some(({ name }) => takes(handler.body, name, declared, depth));
  }
  // `report('keys')` makes a handler.
  if (ts.isCallExpression(handler)) return isReceiver(nameOf(handler.expression));
  return receives(handler, declared, depth);
}

/** Whether a part of the parameter is looked at: an error may be a field of what a function is given. */
function takes(
  body: ts.Node | undefined,
  name: ts.BindingName,
  declared: Declared,
  depth: number,
): boolean {
  if (body === undefined) return false;
  if (ts.isIdentifier(name)) return passesOn(body, name, declared, depth);
  return name.elements.some(
    (one) => ts.isBindingElement(one) && takes(body, one.name, declared, depth),
  );
}

const nameOf = (callee: ts.Node): string => {
  if (ts.isIdentifier(callee)) return callee.text;
  return ts.isPropertyAccessExpression(callee) ? callee.name.text : '';
};

const isThis = (node: ts.Node): boolean => node.kind === ts.SyntaxKind.ThisKeyword;

const isReceiver = (name: string): boolean => RECEIVERS.has(name.replace(/^#/, ''));

/** Whether the function that `callee` names looks at an error that it is given. */
function receives(callee: ts.Node, declared: Declared, depth: number): boolean {
  const name = nameOf(callee);
  const isOwn = !ts.isPropertyAccessExpression(callee) || isThis(callee.expression);
  const known = (isOwn ? declared.get(name) : undefined) ?? [];
  if (known.length === 0) return isReceiver(name);
  return depth < DEPTH_MAX && known.some((one) => looksAt(one, declared, depth + 1));
}

function passesOn(
  body: ts.Node,
  { text: error }: ts.Identifier,
  declared: Declared,
  depth: number,
): boolean {
  const isError = (node: ts.Node): boolean => {
    if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node))
      return isError(node.expression);
    return ts.isIdentifier(node) && node.text === error;
  };
  /** The error itself, or an object of which it is a field. */
  const carries = (node: ts.Node): boolean => {
    if (ts.isArrayLiteralExpression(node)) return node.elements.some(carries);
    if (!ts.isObjectLiteralExpression(node)) return isError(node);
    return node.properties.some((one) => {
      if (ts.isShorthandPropertyAssignment(one)) return isError(one.name);
      return ts.isPropertyAssignment(one) && carries(one.initializer);
    });
  };
  const wraps = (node: ts.Node): boolean => {
    if (ts.isConditionalExpression(node)) return wraps(node.whenTrue) || wraps(node.whenFalse);
    return isError(node) || (ts.isNewExpression(node) && (node.arguments ?? []).some(carries));
  };
  const isSeen = (node: ts.Node): boolean => {
    if (ts.isThrowStatement(node)) return wraps(node.expression);
    if (ts.isReturnStatement(node))
      return node.expression !== undefined && isError(node.expression);
    if (ts.isCallExpression(node)) {
      return node.arguments.some(
        (one) => (carries(one) || wraps(one)) && receives(node.expression, declared, depth),
      );
    }
    if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) {
      const value = ts.isPropertyAssignment(node) ? node.initializer : node.name;
      return ts.isIdentifier(node.name) && node.name.text === 'cause' && isError(value);
    }
    // `const { code } = error` takes a field of it and leaves the rest.
    if (ts.isVariableDeclaration(node)) {
      return (
        ts.isIdentifier(node.name) && node.initializer !== undefined && wraps(node.initializer)
      );
    }
    return (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      carries(node.right)
    );
  };
  let found = isError(body);
  const visit = (node: ts.Node): void => {
    found ||= isSeen(node);
    if (!found) ts.forEachChild(node, visit);
  };
  visit(body);
  return found;
}

/** In the handler, or in a comment above it in its statement. */
function hasReason(handler: ts.Node, file: ts.SourceFile): boolean {
  if (REASON.test(handler.getText(file))) return true;
  for (let node = handler; !ts.isSourceFile(node); node = node.parent) {
    const comments = ts.getLeadingCommentRanges(file.text, node.getFullStart()) ?? [];
    if (comments.some(({ pos, end }) => REASON.test(file.text.slice(pos, end)))) return true;
    if (ts.isClassElement(node) || (ts.isStatement(node) && ts.isBlock(node.parent))) return false;
  }
  return false;
}
