"""The postings and lengths of one segment, made by the server from the lexemes that it stored."""

import psycopg

from recall_core.adapters.postgres.rows import SEGMENT

_SORT_MEMORY = "256MB"

_POSTINGS = """
INSERT INTO recall.posting (tenant_id, generation_id, lexeme, segment, numbers, counts)
SELECT %(tenant)s, %(id)s, u.lexeme, %(segment)s,
  string_agg(int4send(c.number), ''::bytea ORDER BY c.number),
  string_agg(set_byte('\\x00'::bytea, 0, least(cardinality(u.positions), 255)), ''::bytea ORDER BY c.number)
FROM recall.chunk c CROSS JOIN unnest(c.lexemes) u
WHERE c.tenant_id = %(tenant)s AND c.generation_id = %(id)s AND c.number >= %(first)s AND c.number < %(end)s
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
    connection.execute("SELECT set_config('work_mem', %s, true)", [_SORT_MEMORY])
    connection.execute(_POSTINGS, asked)
    connection.execute(_LENGTHS, asked)
