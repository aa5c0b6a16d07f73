// Counts the optional members that are called and not read: functions, classes, and interfaces with methods. What production
// always gives should be required, and where there is none a null object stands in its place.
import ts from 'typescript';

/** Amounts and quotes have methods too, and are values of records. */
const VALUES = 'src/values/';

/** Types that name some members of another. */
const VIEWS = new Set(['Pick', 'Omit', 'Partial', 'Readonly', 'Required', 'NonNullable']);

/** How many of the sources' optional members are dependencies, whichever of the sources declares their type. */
export function optionalDependencies(sources: readonly ts.SourceFile[]): number {
  const called = calledNames(sources);
  let count = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isMethodSignature(node) && node.questionToken !== undefined) count += 1;
    const isMember = ts.isPropertySignature(node) || ts.isPropertyDeclaration(node);
    if (isMember && node.questionToken !== undefined && isCalled(node.type, called)) count += 1;
    ts.forEachChild(node, visit);
  };
  for (const source of sources) visit(source);
  return count;
}

type Named = ts.ClassDeclaration | ts.InterfaceDeclaration | ts.TypeAliasDeclaration;

/** Until no further name is found: an interface that extends one with methods has them too. */
function calledNames(sources: readonly ts.SourceFile[]): ReadonlySet<string> {
  const declared: Named[] = [];
  const collect = (node: ts.Node): void => {
    const isNamed = ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node);
    if (isNamed || ts.isTypeAliasDeclaration(node)) declared.push(node);
    ts.forEachChild(node, collect);
  };
  for (const source of sources) if (!source.fileName.startsWith(VALUES)) collect(source);
  const names = new Set<string>();
  for (let known = -1; known < names.size; ) {
    known = names.size;
    for (const one of declared) {
      if (one.name !== undefined && hasMethods(one, names)) names.add(one.name.text);
    }
  }
  return names;
}

function hasMethods(node: Named, called: ReadonlySet<string>): boolean {
  if (ts.isClassDeclaration(node)) return true;
  if (ts.isTypeAliasDeclaration(node)) return isCalled(node.type, called);
  const bases = (node.heritageClauses ?? []).flatMap(({ types }) => types);
  return node.members.some(isMethod) || bases.some((base) => isNamedCalled(base, called));
}

/** A record with optional callbacks only is still a record. */
const isMethod = (member: ts.TypeElement): boolean =>
  member.questionToken === undefined &&
  (ts.isMethodSignature(member) ||
    (ts.isPropertySignature(member) &&
      member.type !== undefined &&
      ts.isFunctionTypeNode(member.type)));

function isCalled(type: ts.TypeNode | undefined, called: ReadonlySet<string>): boolean {
  if (type === undefined) return false;
  if (ts.isParenthesizedTypeNode(type)) return isCalled(type.type, called);
  if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type)) {
    return type.types.some((one) => isCalled(one, called));
  }
  if (ts.isTypeLiteralNode(type)) return type.members.some(isMethod);
  return (
    ts.isFunctionTypeNode(type) || (ts.isTypeReferenceNode(type) && isNamedCalled(type, called))
  );
}

function isNamedCalled(
  type: ts.TypeReferenceNode | ts.ExpressionWithTypeArguments,
  called: ReadonlySet<string>,
): boolean {
  const name = (ts.isTypeReferenceNode(type) ? type.typeName : type.expression).getText();
  return VIEWS.has(name) ? isCalled(type.typeArguments?.[0], called) : called.has(name);
}
