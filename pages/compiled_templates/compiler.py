"""The nodes of a template as the source of one Python function."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import Any

from django.template.base import FilterExpression, Node, Template, TextNode, VariableNode
from django.template.defaulttags import (
    CommentNode,
    CsrfTokenNode,
    FirstOfNode,
    ForNode,
    IfNode,
    LoadNode,
    URLNode,
    WithNode,
)
from django.template.library import SimpleNode
from django.template.loader_tags import BlockNode, ExtendsNode, IncludeNode
from django.templatetags.static import StaticNode
from django.utils.safestring import SafeData, mark_safe
from django.utils.timezone import template_localtime

from pages.compiled_templates import runtime
from pages.compiled_templates.expressions import (
    CannotCompile,
    Loop,
    Names,
    can_fail,
    compile_condition,
    compile_filtered,
    names_in,
)

# Nodes that only read the context and return text.
_DRAWN_BY_DJANGO = (CsrfTokenNode, FirstOfNode, StaticNode, URLNode, SimpleNode)
_RUNTIME = {
    "MISSING": runtime.MISSING,
    "SafeData": SafeData,
    "draw_node": runtime.draw_node,
    "evaluate": runtime.evaluate,
    "filter_safely": runtime.filter_safely,
    "look_up": runtime.look_up,
    "called": runtime.call,
    "escape": escape,
    "context_of": runtime.context_of,
    "mark_safe": mark_safe,
    "require": runtime.require,
    "rows_of": runtime.rows_of,
    "show": runtime.show,
    "show_tag": runtime.show_tag,
    "static_address": runtime.static_address,
    "template_localtime": template_localtime,
}


@dataclass(frozen=True)
class CompiledTemplate:
    """``draw(context, add, *values)`` adds the text, given the values of the names in ``free``."""

    draw: Callable[..., None]
    free: tuple[str, ...]
    reads_context: bool  # something in it asks the context itself, not only for these names
    source: str


# An include is compiled before the template that includes it; None while that goes on, or if it cannot be.
FindCompiled = Callable[[Template], CompiledTemplate | None]


def compile_template(template: Template, find_compiled: FindCompiled) -> CompiledTemplate:
    nodes, blocks = _inherit(template)
    writer = _Writer(template, find_compiled, blocks)
    writer.write_nodes(nodes)
    return writer.finish()


def _inherit(template: Template) -> tuple[list[Node], dict[str, BlockNode]]:
    """What is drawn of a template and those it extends, and each block as the innermost one has it."""
    nodes: list[Node] = []
    blocks: dict[str, BlockNode] = {}
    seen = {template.name}
    while True:
        for block in template.nodelist.get_nodes_by_type(BlockNode):
            blocks.setdefault(block.name, block)
        extends = next((node for node in template.nodelist if not isinstance(node, TextNode)), None)
        if not isinstance(extends, ExtendsNode):
            return [*nodes, *template.nodelist], blocks
        nodes += template.nodelist[: template.nodelist.index(extends)]  # text before the tag
        name = _constant_text(extends.parent_name)
        if name is None or name in seen:  # a template may extend another one of the same name
            raise CannotCompile("extends")
        seen.add(name)
        template = template.engine.get_template(name)


def _constant_text(expression: FilterExpression) -> str | None:
    return str(expression.var) if not expression.is_var and not expression.filters else None


def _reads_names_at_most(node: SimpleNode) -> bool:
    """Whether a tag does without the context, or says which names of it are enough."""
    return not node.takes_context or hasattr(node.func, "reads_of_context")


class _Writer:
    def __init__(self, template: Template, find_compiled: FindCompiled, blocks: Mapping[str, BlockNode]) -> None:
        self._template = template
        self._find_compiled = find_compiled
        self._blocks = blocks
        self._names = Names()
        self._lines: list[str] = []
        self._depth = 1
        self._text: list[str] = []
        self._add = "add"
        self._count = 0
        self._reads_context = False
        self._ifs = 0  # inside how many, since the last loop, block or the like began
        self._set_in_ifs: dict[str, str] = {}  # names that are set inside of them, in some cases only
        self._is_in_loop = False  # with nothing between that ends what is set there

    # The function as a whole

    def finish(self) -> CompiledTemplate:
        self._flush()
        parameters = ", ".join(["context", "add", *self._names.free.values()])
        source = "\n".join([f"def draw({parameters}):", *self._lines, "    return None", ""])
        # A name of its own, so that a traceback shows the line.
        file = f"<compiled template {self._template.name}>"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        values = {**_RUNTIME, **self._names.globals}
        exec(compile(source, file, "exec"), values)  # nosec B102: made of our own templates
        return CompiledTemplate(values["draw"], tuple(self._names.free), self._reads_context, source)

    def _line(self, text: str) -> None:
        self._flush()
        self._lines.append("    " * self._depth + text)

    def _flush(self) -> None:
        if self._text:
            text, self._text = "".join(self._text), []
            self._lines.append("    " * self._depth + f"{self._add}({text!r})")

    def _new(self, prefix: str) -> str:
        self._count += 1
        return f"{prefix}{self._count}"

    @contextmanager
    def _indented(self) -> Iterator[None]:
        self._flush()
        self._depth += 1
        before = len(self._lines)
        yield
        self._flush()
        if len(self._lines) == before:
            self._lines.append("    " * self._depth + "pass")
        self._depth -= 1

    @contextmanager
    def _named(self, names: Mapping[str, str | Loop], *, is_loop: bool = False) -> Iterator[None]:
        before, around = dict(self._names.own), (self._ifs, self._set_in_ifs, self._is_in_loop)
        self._names.own.update(names)
        self._ifs, self._set_in_ifs, self._is_in_loop = 0, {}, is_loop
        yield
        self._names.own, (self._ifs, self._set_in_ifs, self._is_in_loop) = before, around

    @contextmanager
    def _shown_to_context(self, more: Mapping[str, str] | None = None) -> Iterator[None]:
        """Whoever asks the context sees the loops and ``with`` around it too."""
        self._reads_context = True
        own = {name: value.as_dict() if isinstance(value, Loop) else value for name, value in self._names.own.items()}
        own |= more or {}
        if not own:
            yield
            return
        self._line("context.dicts.append({" + ", ".join(f"{name!r}: {value}" for name, value in own.items()) + "})")
        self._line("try:")
        with self._indented():
            yield
        self._line("finally:")
        self._line("    context.dicts.pop()")

    # Nodes

    def write_nodes(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            self._write_node(node)

    def _write_node(self, node: Node) -> None:
        kind = type(node)
        if kind is TextNode:
            self._text.append(node.s)
        elif kind is VariableNode:
            self._line(f"{self._add}(show({compile_filtered(node.filter_expression, self._names, None)}, context))")
        elif kind is IfNode:
            self._write_if(node)
        elif kind is ForNode:
            self._write_for(node)
        elif kind is WithNode:
            self._write_with(node)
        elif kind is IncludeNode:
            self._write_include(node)
        elif kind is BlockNode:
            with self._named({}):
                self.write_nodes(self._blocks.get(node.name, node).nodelist)
        elif kind is SimpleNode and node.target_var is None and _reads_names_at_most(node):
            self._write_tag(node)
        elif hasattr(node, "find_address") and not node.kwargs:
            self._write_address(node)
        elif kind is StaticNode and node.varname is None and _constant_text(node.path) is not None:
            self._line(f"{self._add}(static_address({_constant_text(node.path)!r}))")
        elif hasattr(node, "wrap"):
            self._write_wrapped(node)
        elif kind not in (LoadNode, CommentNode):
            self._write_drawn_by_django(node)

    def _write_if(self, node: IfNode) -> None:
        depth, own = self._depth, dict(self._names.own)
        self._line("")  # for what names are before they are set in some cases only
        before = len(self._lines) - 1
        self._ifs += 1
        for condition, nodes in node.conditions_nodelists:
            if condition is None:
                self.write_nodes(nodes)
                break
            self._line(f"if {self._write_condition(condition)}:")
            with self._indented():
                self.write_nodes(nodes)
            self._line("else:")
            self._depth += 1
        # The last "else:" may have nothing in it.
        self._flush()
        self._lines.append("    " * self._depth + "pass")
        self._depth = depth
        self._ifs -= 1
        if not self._ifs and self._set_in_ifs:
            set_inside, self._set_in_ifs = self._set_in_ifs, {}
            with self._named({}):
                self._names.own = own
                known = [f"{name} = {self._names.find(one)}" for one, name in set_inside.items()]
            self._lines[before] = "    " * depth + "; ".join(known)

    def _write_condition(self, condition: Any) -> str:
        found = compile_condition(condition, self._names)
        if not can_fail(condition):
            return found
        it = self._new("c")
        seen = ", ".join(f"{name!r}: {self._names.find(name)}" for name in sorted(names_in(condition)))
        self._line("try:")
        self._line(f"    {it} = {found}")
        self._line("except Exception:")
        self._line(f"    {it} = evaluate({self._names.constant(condition)}, context, {{{seen}}})")
        return it

    def _write_for(self, node: ForNode) -> None:
        sequence = compile_filtered(node.sequence, self._names, "None" if node.sequence.filters else None)
        rows, length, index = self._new("rows"), self._new("n"), self._new("i")
        self._line(f"{rows} = rows_of({sequence})")
        self._line(f"{length} = len({rows})")
        self._line(f"if {length} < 1:")
        with self._indented():
            self.write_nodes(node.nodelist_empty)
        parent = self._names.own.get("forloop")
        loop = Loop(index, length, parent if isinstance(parent, Loop) else None)
        items = {name: self._new("item") for name in node.loopvars}
        self._line("else:")
        with self._indented():
            around = self._depth
            self._line("")  # the head of the loop; whether it counts is known after its body
            head = len(self._lines) - 1
            with self._indented(), self._named({"forloop": loop, **items}, is_loop=True):
                for item in items.values():
                    self._line(f"if callable({item}): {item} = called({item})")
                self.write_nodes(node.nodelist_loop)
            walked = f"reversed({rows})" if node.is_reversed else rows
            each = ", ".join(items.values())
            if loop.is_read:
                target, walked = f"{index}, ({each})" if len(items) > 1 else f"{index}, {each}", f"enumerate({walked})"
            else:
                target = each
            self._lines[head] = "    " * around + f"for {target} in {walked}:"

    def _write_with(self, node: WithNode) -> None:
        values = self._write_values(node.extra_context)
        with self._named(values):
            self.write_nodes(node.nodelist)

    def _write_values(self, given: Mapping[str, FilterExpression]) -> dict[str, str]:
        """Works out all of them before the first is named."""
        values: dict[str, str] = {}
        for name, expression in given.items():
            found = compile_filtered(expression, self._names, "''")
            values[name] = self._new("w")
            self._line(f"{values[name]} = {found}")
        return values

    def _write_include(self, node: IncludeNode) -> None:
        name = _constant_text(node.template)
        compiled = self._find_compiled(self._template.engine.get_template(name)) if name is not None else None
        if compiled is None or (node.isolated_context and compiled.reads_context):
            self._write_drawn_with_context(node)
            return
        values = self._write_values(node.extra_context)
        if node.isolated_context:
            given = [values.get(free, "MISSING") for free in compiled.free]
        else:
            given = [values.get(free) or self._names.find(free) for free in compiled.free]
        call = f"{self._names.constant(compiled.draw)}({', '.join(['context', self._add, *given])})"
        if compiled.reads_context:
            with self._shown_to_context(values):
                self._line(call)
        else:
            self._line(call)

    def _write_tag(self, node: SimpleNode) -> None:
        given = self._arguments(node.args)
        given += [
            f"{name}={value}" for name, value in zip(node.kwargs, self._arguments(node.kwargs.values()), strict=True)
        ]
        if node.takes_context:
            read = ", ".join(f"{name}={self._names.find(name)}" for name in node.func.reads_of_context)
            given.insert(0, f"context_of({read})")
        self._line(f"{self._add}(show_tag({self._names.constant(node.func)}({', '.join(given)})))")

    def _write_address(self, node: Any) -> None:
        given = self._arguments((node.view_name, *node.args))
        if node.asvar is None:
            self._line(f"{self._add}(escape({self._names.constant(node.find_address)}({', '.join(given)})))")
            return
        if self._is_in_loop:  # the next round would still know it
            raise CannotCompile("address that a loop names")
        name = self._set_in_ifs.setdefault(node.asvar, self._new("w")) if self._ifs else self._new("w")
        self._line(f"{name} = {self._names.constant(node.find_address_if_any)}({', '.join(given)})")
        self._names.own[node.asvar] = name  # until the loop, block or template around it ends

    def _arguments(self, expressions: Iterable[FilterExpression]) -> list[str]:
        return [compile_filtered(one, self._names, "''") for one in expressions]

    def _write_wrapped(self, node: Any) -> None:
        """A tag around other nodes that only needs their text."""
        inside, outside = self._new("inside"), self._add
        self._line(f"{inside} = []")
        self._flush()
        self._add = f"{inside}.append"
        self.write_nodes(node.nodelist)
        self._flush()
        self._add = outside
        self._line(f"{self._add}({self._names.constant(node.wrap)}(''.join({inside})))")

    def _write_drawn_by_django(self, node: Node) -> None:
        if not isinstance(node, _DRAWN_BY_DJANGO):
            raise CannotCompile(type(node).__name__)
        if any(getattr(node, name, None) is not None for name in ("asvar", "varname", "target_var")):
            raise CannotCompile(f"{type(node).__name__} that sets a name")
        self._write_drawn_with_context(node)

    def _write_drawn_with_context(self, node: Node) -> None:
        with self._shown_to_context():
            self._line(f"{self._add}(draw_node({self._names.constant(node)}, context))")
