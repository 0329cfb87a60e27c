"""What Python files import: reads {path: source} as JSON, writes [[path, line, module, [name, ...]], ...].

A relative import keeps its dots in front of the module. An import for type checkers alone does not run, so it is left
out. A file that is not Python gives [path, line, null, [message]].
"""

import ast
import json
import sys


class Imports(ast.NodeVisitor):
    """Collects the imports of one file, also those inside functions."""

    def __init__(self, path, found):
        self.path = path
        self.found = found

    def visit_Import(self, node):
        for alias in node.names:
            self.found.append([self.path, node.lineno, alias.name, []])

    def visit_ImportFrom(self, node):
        names = [alias.name for alias in node.names]
        self.found.append([self.path, node.lineno, "." * node.level + (node.module or ""), names])

    def visit_If(self, node):
        is_for_types = ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")
        for statement in node.orelse if is_for_types else [*node.body, *node.orelse]:
            self.visit(statement)


def main():
    found = []
    for path, source in json.load(sys.stdin).items():
        try:
            Imports(path, found).visit(ast.parse(source))
        except SyntaxError as error:
            found.append([path, error.lineno or 0, None, [error.msg]])
    json.dump(found, sys.stdout)


main()
