"""The postings and lengths of one segment, made by the server from the lexemes that it stored."""

import psycopg

from recall_core.adapters.postgres.rows import SEGMENT

_MEMORY = "256MB"

# Hashing keeps the order in which rows come, also of groups that go through the disk, and rows come by number: sorting
# them by lexeme as well would take twice as long.
_SETTINGS = (
    "SELECT set_config('work_mem', %s, true), set_config('enable_sort', 'off', true),"
    " set_config('max_parallel_workers_per_gather', '0', true)"
)
_POSTINGS = """
INSERT INTO recall.posting (tenant_id, generation_id, lexeme, segment, numbers, counts)
SELECT %(tenant)s, %(id)s, u.lexeme, %(segment)s, string_agg(int4send(c.number), ''::bytea),
  string_agg(set_byte('\\x00'::bytea, 0, least(cardinality(u.positions), 255)), ''::bytea)
FROM (
  SELECT k.number, k.lexemes FROM recall.chunk k
  WHERE k.tenant_id = %(tenant)s AND k.generation_id = %(id)s AND k.number >= %(first)s AND k.number < %(end)s
  ORDER BY k.number OFFSET 0
) c CROSS JOIN unnest(c.lexemes) u
GROUP BY u.lexeme
"""
_LENGTHS = """
WITH counted AS (
  SELECT c.number, sum(cardinality(u.positions))::int AS terms
  FROM recall.chunk c CROSS JOIN unnest(c.lexemes) u
  WHERE c.tenant_id = %(tenant)s AND c.generation_id = %(id)s AND c.number >= %(first)s AND c.number < %(end)s
  GROUP BY c.number
), lengths AS (
  INSERT INTO recall.document_length (tenant_id, generation_id, segment, lengths)
  SELECT %(tenant)s, %(id)s, %(segment)s, string_agg(int4send(coalesce(l.terms, 0)), ''::bytea ORDER BY s.number)
  FROM generate_series(%(first)s::int, %(end)s::int - 1) s(number) LEFT JOIN counted l ON l.number = s.number
)
UPDATE recall.generation SET terms = terms + (SELECT coalesce(sum(counted.terms), 0) FROM counted)
WHERE tenant_id = %(tenant)s AND id = %(id)s
"""


def write_postings(connection: psycopg.Connection, tenant: str, generation: str, segment: int, end: int) -> None:
    """Make the postings and lengths of the chunks of a segment, whose numbers stop before `end`."""
    first = segment * SEGMENT
    asked = {"tenant": tenant, "id": generation, "segment": segment, "first": first, "end": min(first + SEGMENT, end)}
    connection.execute(_SETTINGS, [_MEMORY])
    connection.execute(_POSTINGS, asked)
    connection.execute(_LENGTHS, asked)
