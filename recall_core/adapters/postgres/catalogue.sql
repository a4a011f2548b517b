-- Everything of the schema that a start-up relies on, as one digest: columns, keys, indexes, policies, triggers and
-- functions. Partitions are left out, since they come and go.
WITH tables AS (
  SELECT c.oid, c.relname, c.relrowsecurity, c.relforcerowsecurity, c.relkind
  FROM pg_class c
  WHERE c.relnamespace = 'recall'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
), facts AS (
  SELECT format('table %s %s %s %s', relname, relkind, relrowsecurity, relforcerowsecurity) AS fact FROM tables
  UNION ALL
  SELECT format('column %s.%s %s %s', t.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull)
  FROM tables t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL
  SELECT format('index %s', pg_get_indexdef(i.indexrelid))
  FROM tables t JOIN pg_index i ON i.indrelid = t.oid
  UNION ALL
  SELECT format('check %s %s %s', t.relname, k.conname, pg_get_constraintdef(k.oid))
  FROM tables t JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'c'
  UNION ALL
  SELECT format('policy %s %s %s %s %s %s %s', t.relname, p.polname, p.polcmd, p.polpermissive, p.polroles::text,
                pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
  FROM tables t JOIN pg_policy p ON p.polrelid = t.oid
  UNION ALL
  SELECT format('trigger %s %s', g.tgenabled, pg_get_triggerdef(g.oid))
  FROM tables t JOIN pg_trigger g ON g.tgrelid = t.oid AND NOT g.tgisinternal
  UNION ALL
  SELECT format('function %s %s %s %s %s', p.proname, pg_get_function_arguments(p.oid), p.prosecdef, p.proconfig::text,
                md5(p.prosrc))
  FROM pg_proc p WHERE p.pronamespace = 'recall'::regnamespace
)
SELECT 'md5:' || md5(coalesce(string_agg(fact, E'\n' ORDER BY fact COLLATE "C"), '')) FROM facts
