# SPDX-License-Identifier: Apache-2.0
"""The dialect sdy: its ops, and the attributes of shardings."""

from .._attrs import parse, plain, struct
from .._ods import dialect as _dialect

__getattr__, __dir__ = _dialect(__name__)


def _inner(attr, name):
    """The text of an attribute without its name: #sdy<axis_ref"x"> is "x"."""
    text = str(attr)
    head = f"#sdy<{name}" if text.startswith("#sdy<") else f"#sdy.{name}<"
    return text[len(head) : -1]


def _axes(axes):
    return ", ".join(_inner(a, "axis_ref") for a in axes)


def _context_of(items, context):
    return context or next((i.context for i in items), None)


@struct("sdy.mesh_axis", "name size")
class MeshAxisAttr:
    __slots__ = ()

    @classmethod
    def get(cls, name, size, context=None):
        return parse(f'#sdy<mesh_axis"{name}"={size}>', context)


@struct("sdy.mesh", "axes device_ids")
class MeshAttr:
    __slots__ = ()

    @classmethod
    def get(cls, axes, device_ids=None, context=None):
        ids = f", device_ids=[{', '.join(map(str, device_ids))}]" if device_ids else ""
        return parse(f"#sdy.mesh<[{', '.join(_inner(a, 'mesh_axis') for a in axes)}]{ids}>", _context_of(axes, context))


@struct("sdy.axis_ref", "name sub_axis_info")
class AxisRefAttr:
    __slots__ = ()

    @classmethod
    def get(cls, name, sub_axis_info=None, context=None):
        sub = f":{_inner(sub_axis_info, 'sub_axis_info')}" if sub_axis_info is not None else ""
        return parse(f'#sdy<axis_ref"{name}"{sub}>', context)


@struct("sdy.dimension_sharding", "axes is_closed priority")
class DimensionShardingAttr:
    __slots__ = ()

    @classmethod
    def get(cls, axes, is_closed, priority=None, context=None):
        words = [w for w in (_axes(axes), "" if is_closed else "?") if w]
        after = f"p{priority}" if priority is not None else ""
        return parse(f"#sdy<dimension_sharding{{{', '.join(words)}}}{after}>", _context_of(axes, context))


@struct("sdy.sharding", "mesh_or_ref dimension_shardings replicated_axes unreduced_axes")
class TensorShardingAttr:
    __slots__ = ()

    @classmethod
    def get(cls, mesh_or_ref, dimension_shardings, replicated_axes=(), unreduced_axes=(), context=None):
        mesh = f"@{mesh_or_ref}" if isinstance(mesh_or_ref, str) else str(mesh_or_ref)
        text = f"{mesh}, [{', '.join(_inner(d, 'dimension_sharding') for d in dimension_shardings)}]"
        for name, axes in (("replicated", replicated_axes), ("unreduced", unreduced_axes)):
            text += f", {name}={{{_axes(axes)}}}" if axes else ""
        return parse(f"#sdy.sharding<{text}>", _context_of(dimension_shardings, context))


@struct("sdy.sharding_per_value", "shardings")
class TensorShardingPerValueAttr:
    __slots__ = ()

    @classmethod
    def get(cls, shardings, context=None):
        body = ", ".join(f"<{_inner(s, 'sharding')}>" for s in shardings)
        return parse(f"#sdy.sharding_per_value<[{body}]>", _context_of(shardings, context))

    def __len__(self):
        return len(self.shardings)

    def __iter__(self):
        return iter(self.shardings)

    def __getitem__(self, i):
        return self.shardings[i]


@struct("sdy.manual_axes", "axes")
class ManualAxesAttr:
    __slots__ = ()

    @classmethod
    def get(cls, axes, context=None):
        names = ", ".join(str(a) for a in axes)
        return parse(f"#sdy<manual_axes{{{names}}}>", _context_of(axes, context))

    def __len__(self):
        return len(self.axes)

    def __iter__(self):
        return iter(self._item(0))

    def __getitem__(self, i):
        return plain(self._item(0))[i]


@struct("sdy.axis_ref_list", "axes")
class AxisRefListAttr:
    __slots__ = ()

    @classmethod
    def get(cls, axes, context=None):
        return parse(f"#sdy<axis_ref_list{{{_axes(axes)}}}>", _context_of(axes, context))


@struct("sdy.list_of_axis_ref_lists", "lists")
class ListOfAxisRefListsAttr:
    __slots__ = ()

    @classmethod
    def get(cls, lists, context=None):
        body = ", ".join(_inner(one, "axis_ref_list") for one in lists)
        return parse(f"#sdy<list_of_axis_ref_lists[{body}]>", _context_of(lists, context))
