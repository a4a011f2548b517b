"""Which generation is served: promotion, rollback, retirement."""

from recall_core.errors import RefusedError, UsageError
from recall_core.generation.states import State
from recall_core.ports.store import Generation, GenerationStore
from recall_core.trust.policy import TrustPolicy

_NAMED = 5


def promote(
    store: GenerationStore,
    tenant: str,
    generation: str,
    *,
    policy: TrustPolicy,
    actor: str,
    allow_refused: bool = False,
) -> Generation:
    """Make a ready generation the active one, and give it as it is then; the active one is given back as it is.

    Raises UsageError for one that is unknown or not ready, RefusedError for one that refused memos unless
    `allow_refused`, and in strict mode for one without a certified calibration; ConflictError where somebody else
    promoted another meanwhile.
    """
    found = find_generation(store, tenant, generation)
    if found.state is State.ACTIVE:
        return found
    if found.state is not State.READY:
        raise UsageError(
            f"the generation {found.id} is {found.state.value}, and only one that is ready can be promoted",
            help="`recall index` makes one" if found.state is not State.RETIRED else "`recall generation rollback`",
        )
    demand_complete(found, allow_refused=allow_refused)
    active = store.active(tenant)
    expected = active.id if active is not None else None
    return store.promote(tenant, found.id, expected=expected, actor=actor, demands_certified=policy.is_strict)


def demand_complete(generation: Generation, *, allow_refused: bool) -> None:
    """Raise RefusedError for a generation that has no text of some memos, unless that is allowed."""
    if generation.refused and not allow_refused:
        raise RefusedError(
            f"the generation {generation.id} has no text of {name_some(generation.refused)}",
            help="mend them and index again, or promote without them: `--allow-refused`",
        )


def rollback(store: GenerationStore, tenant: str, *, actor: str) -> Generation:
    """Serve again what was served before. Raises UsageError where nothing was."""
    return store.rollback(tenant, actor=actor)


def retire(store: GenerationStore, tenant: str, generation: str, *, actor: str) -> Generation:
    """Drop the rows of a generation that is not served, and keep its record. Raises UsageError otherwise."""
    found = find_generation(store, tenant, generation)
    if found.state is State.ACTIVE:
        raise UsageError(
            f"the generation {found.id} is the one that is served",
            help="promote another, or roll back, and then retire it",
        )
    store.retire(tenant, found.id, actor=actor)
    return find_generation(store, tenant, found.id)


def find_generation(store: GenerationStore, tenant: str, generation: str) -> Generation:
    """The generation of this id, or the only one whose id begins so. Raises UsageError where there is none."""
    if (exact := store.generation(tenant, generation)) is not None:
        return exact
    close = [each for each in store.generations(tenant) if generation and each.id.startswith(generation)]
    if len(close) == 1:
        return close[0]
    what = "several generations have an id that begins with" if close else "there is no generation"
    raise UsageError(f"{what} `{generation}` in the tenant `{tenant}`", help="`recall generation list` shows them")


def name_some(paths: tuple[str, ...]) -> str:
    """The first few paths, and how many there are beside them."""
    named = ", ".join(f"`{path}`" for path in paths[:_NAMED])
    return f"{named} and {len(paths) - _NAMED} more" if len(paths) > _NAMED else named
