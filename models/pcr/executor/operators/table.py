"""The soft version of every signature of the op table.

The order affects speed only. Execution proceeds in rounds; in each round every operator runs once, in this order, for
all questions at once. The order follows common programs, so that they finish in few rounds.
"""

from collections.abc import Callable
from typing import Final

from comphy.programs.types import ValueType as T
from models.pcr.executor.operators import counterfactuals, event_times, events, hidden, objects, queries
from models.pcr.executor.view import Value

# The name of the handler of the exact executor, and the argument types.
SignatureKey = tuple[str, tuple[T, ...]]
Handler = Callable[..., Value]

HANDLERS: Final[dict[SignatureKey, Handler]] = {
    ("objects", ()): objects.objects,
    ("events", ()): events.events,
    ("unseen_events", ()): events.unseen_events,
    ("all_events", ()): events.all_events,
    ("start", ()): events.start,
    ("end", ()): events.end,
    ("filter_start", (T.EVENTS,)): events.filter_start,
    ("filter_end", (T.EVENTS,)): events.filter_end,
    ("filter_color", (T.OBJECTS, T.COLOR)): objects.filter_color,
    ("filter", (T.OBJECTS, T.COLOR)): objects.filter_color,
    ("filter_material", (T.OBJECTS, T.MATERIAL)): objects.filter_material,
    ("filter", (T.OBJECTS, T.MATERIAL)): objects.filter_material,
    ("filter_shape", (T.OBJECTS, T.SHAPE)): objects.filter_shape,
    ("filter", (T.OBJECTS, T.SHAPE)): objects.filter_shape,
    ("filter_status", (T.OBJECTS, T.STATUS)): objects.filter_status,
    ("unique", (T.OBJECTS,)): objects.unique,
    ("filter_in", (T.EVENTS, T.OBJECT)): events.filter_in_of_object,
    ("filter_out", (T.EVENTS, T.OBJECT)): events.filter_out_of_object,
    ("filter_collision", (T.EVENTS, T.OBJECT)): events.filter_collision_of_object,
    ("filter_counterfact", (T.EVENTS, T.OBJECT, T.PREMISE)): counterfactuals.filter_counterfact,
    ("filter_counterfact_removal", (T.EVENTS, T.OBJECT)): counterfactuals.filter_counterfact_removal,
    ("counterfact_events", (T.OBJECT, T.PREMISE)): counterfactuals.counterfact_events,
    ("counterfact_events_removal", (T.OBJECT,)): counterfactuals.counterfact_events_removal,
    ("unique", (T.EVENTS,)): events.unique,
    ("query_frame", (T.EVENT,)): queries.query_frame,
    ("filter_moving", (T.OBJECTS, T.FRAME)): objects.filter_moving,
    ("filter_stationary", (T.OBJECTS, T.FRAME)): objects.filter_stationary,
    ("filter_heavy", (T.OBJECTS,)): hidden.filter_heavy,
    ("filter_light", (T.OBJECTS,)): hidden.filter_light,
    ("filter_charged", (T.OBJECTS,)): hidden.filter_charged,
    ("filter_uncharged", (T.OBJECTS,)): hidden.filter_uncharged,
    ("filter_opposite", (T.OBJECTS,)): hidden.filter_opposite,
    ("filter_same", (T.OBJECTS,)): hidden.filter_same,
    ("intersect", (T.OBJECTS, T.OBJECTS)): objects.intersect,
    ("union", (T.OBJECTS, T.OBJECTS)): objects.union,
    ("filter_in", (T.EVENTS, T.OBJECTS)): events.filter_in,
    ("filter_out", (T.EVENTS, T.OBJECTS)): events.filter_out,
    ("filter_collision", (T.EVENTS, T.OBJECTS)): events.filter_collision,
    ("intersect", (T.EVENTS, T.EVENTS)): events.intersect,
    ("union", (T.EVENTS, T.EVENTS)): events.union,
    ("filter_before", (T.EVENTS, T.EVENT)): event_times.filter_before,
    ("filter_after", (T.EVENTS, T.EVENT)): event_times.filter_after,
    ("filter_order", (T.EVENTS, T.ORDER)): event_times.filter_order,
    ("filter_ancestor", (T.EVENTS, T.EVENT)): event_times.filter_ancestor,
    ("query_object", (T.EVENT,)): queries.query_object,
    ("query_collision_partner", (T.EVENT, T.OBJECT)): queries.query_collision_partner,
    ("unique_pair", (T.OBJECTS,)): objects.unique_pair,
    ("filter_mass", (T.OBJECT,)): hidden.filter_mass,
    ("filter_mass_set", (T.OBJECTS,)): hidden.filter_mass_set,
    ("filter_mass_each", (T.OBJECTS,)): hidden.filter_mass_each,
    ("unique", (T.MASSES,)): hidden.filter_mass_set,
    ("query_color", (T.OBJECT,)): queries.query_color,
    ("query_shape", (T.OBJECT,)): queries.query_shape,
    ("query_material", (T.OBJECT,)): queries.query_material,
    ("query", (T.OBJECT, T.ATTRIBUTE)): queries.query,
    ("query_direction", (T.OBJECT, T.FRAME)): queries.query_direction,
    ("query_both_color", (T.PAIR,)): queries.query_both_color,
    ("query_both_shape", (T.PAIR,)): queries.query_both_shape,
    ("query_both_material", (T.PAIR,)): queries.query_both_material,
    ("query_both", (T.PAIR, T.ATTRIBUTE)): queries.query_both,
    ("is_heavier", (T.MASS, T.MASS)): hidden.is_heavier,
    ("is_lighter", (T.MASS, T.MASS)): hidden.is_lighter,
    ("equal_charge", (T.OBJECT, T.OBJECT)): hidden.equal_charge,
    ("belong_to", (T.EVENT, T.EVENTS)): events.belong_to,
    ("belong_to", (T.OBJECT, T.EVENTS)): events.belong_to_of_object,
    ("count", (T.OBJECTS,)): objects.count,
    ("count", (T.EVENTS,)): events.count,
    ("exist", (T.OBJECTS,)): objects.exist,
    ("exist", (T.EVENTS,)): events.exist,
    ("not", (T.BOOL,)): objects.negate,
}
