-- Generations of memos, their chunks and what searches them.
--
-- tenant_id stands first in every key, and row-level security is forced on every table. What belongs to one generation
-- lies in a partition of its own, which the functions at the end make, index and drop: the serving role has no DDL.

CREATE SCHEMA recall;
REVOKE ALL ON SCHEMA recall FROM PUBLIC;

CREATE TABLE recall.migration (
  version int PRIMARY KEY,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
);

-- What the catalogue looked like once the last migration was applied: whoever starts up compares.
CREATE TABLE recall.catalogue (
  only_row bool PRIMARY KEY DEFAULT true CHECK (only_row),
  digest text NOT NULL,
  server_major int NOT NULL
);

CREATE TABLE recall.tenant (
  tenant_id text PRIMARY KEY CHECK (tenant_id <> ''),
  root text,
  active_generation text
);

CREATE TABLE recall.generation (
  tenant_id text NOT NULL,
  id text NOT NULL CHECK (id ~ '^gen_[0-9a-f]{12}$'),
  state text NOT NULL CHECK (state IN ('building', 'validating', 'ready', 'active', 'retired', 'failed')),
  has_rows bool NOT NULL DEFAULT true,
  embedder text NOT NULL,
  dimension int NOT NULL CHECK (dimension BETWEEN 0 AND 4000),
  chunker text NOT NULL,
  text_search text NOT NULL,
  schema_version int NOT NULL,
  pipeline_fingerprint text NOT NULL,
  root text NOT NULL,
  revision text NOT NULL,
  manifest_fingerprint text NOT NULL DEFAULT '',
  corpus_fingerprint text NOT NULL DEFAULT '',
  forgotten text[] NOT NULL DEFAULT '{}',
  refused text[] NOT NULL DEFAULT '{}',
  memos int NOT NULL DEFAULT 0,
  chunks int NOT NULL DEFAULT 0,
  terms bigint NOT NULL DEFAULT 0,
  is_indexed bool NOT NULL DEFAULT false,
  actor text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  promoted_at timestamptz,
  promoted_over text,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX generation_one_active ON recall.generation (tenant_id) WHERE state = 'active';

CREATE TABLE recall.tombstone (
  tenant_id text NOT NULL,
  path text NOT NULL,
  content_hash text NOT NULL,
  forgotten_at timestamptz NOT NULL DEFAULT now(),
  actor text NOT NULL,
  PRIMARY KEY (tenant_id, path, content_hash)
);
CREATE INDEX tombstone_content ON recall.tombstone (tenant_id, content_hash);

CREATE TABLE recall.audit_event (
  tenant_id text NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor text NOT NULL,
  action text NOT NULL,
  generation_id text,
  detail text NOT NULL DEFAULT '{}',
  PRIMARY KEY (tenant_id, id)
);

CREATE TABLE recall.build_lease (
  tenant_id text PRIMARY KEY,
  generation_id text NOT NULL,
  holder text NOT NULL,
  taken_at timestamptz NOT NULL DEFAULT now()
);

-- One row for each memo. Its chunks are numbered from first_chunk on. `memo` is the memo as JSON in ASCII.
CREATE TABLE recall.memo (
  tenant_id text NOT NULL,
  generation_id text NOT NULL,
  path text NOT NULL,
  content_hash text NOT NULL,
  recorded timestamptz,
  ambiguous bool NOT NULL DEFAULT false,
  refused text NOT NULL DEFAULT '',
  first_chunk int NOT NULL,
  chunks int NOT NULL,
  memo text NOT NULL,
  PRIMARY KEY (tenant_id, generation_id, path)
) PARTITION BY LIST (generation_id);
CREATE INDEX memo_content ON recall.memo (tenant_id, generation_id, content_hash);

-- Where the walk from a replaced memo ends: `steps` from `path` to `terminal`, both included.
CREATE TABLE recall.terminal (
  tenant_id text NOT NULL,
  generation_id text NOT NULL,
  path text NOT NULL,
  position int NOT NULL,
  terminal text NOT NULL,
  steps text[] NOT NULL,
  asserted_at timestamptz,
  PRIMARY KEY (tenant_id, generation_id, path, position)
) PARTITION BY LIST (generation_id);

CREATE TABLE recall.chunk (
  tenant_id text NOT NULL,
  generation_id text NOT NULL,
  number int NOT NULL,
  path text NOT NULL,
  ordinal int NOT NULL,
  body text NOT NULL,
  heading text NOT NULL,
  line int NOT NULL,
  end_line int NOT NULL,
  lexemes tsvector NOT NULL,
  PRIMARY KEY (tenant_id, generation_id, number)
) PARTITION BY LIST (generation_id);

-- Apart from the chunk, and never out of line: a scan of all vectors reads nothing else.
CREATE TABLE recall.embedding (
  tenant_id text NOT NULL,
  generation_id text NOT NULL,
  number int NOT NULL,
  embedding vector NOT NULL,
  PRIMARY KEY (tenant_id, generation_id, number)
) PARTITION BY LIST (generation_id);

-- Chunk numbers (int32, network order, ascending) that hold a lexeme, and how often each does (one byte).
CREATE TABLE recall.posting (
  tenant_id text NOT NULL,
  generation_id text NOT NULL,
  lexeme text NOT NULL,
  segment int NOT NULL,
  numbers bytea NOT NULL,
  counts bytea NOT NULL,
  PRIMARY KEY (tenant_id, generation_id, lexeme, segment)
) PARTITION BY LIST (generation_id);

-- The number of lexemes of each chunk of a segment (int32, network order), by chunk number; 0 in gaps.
CREATE TABLE recall.document_length (
  tenant_id text NOT NULL,
  generation_id text NOT NULL,
  segment int NOT NULL,
  lengths bytea NOT NULL,
  PRIMARY KEY (tenant_id, generation_id, segment)
) PARTITION BY LIST (generation_id);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['tenant', 'generation', 'tombstone', 'audit_event', 'build_lease', 'memo', 'terminal',
                              'chunk', 'embedding', 'posting', 'document_length'] LOOP
    EXECUTE format('ALTER TABLE recall.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE recall.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY own_tenant ON recall.%I USING (tenant_id = (SELECT current_setting(''recall.tenant'', true)))'
      ' WITH CHECK (tenant_id = (SELECT current_setting(''recall.tenant'', true)))', name);
  END LOOP;
END
$$;

CREATE FUNCTION recall.partitioned() RETURNS text[]
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT ARRAY['document_length', 'posting', 'terminal', 'embedding', 'chunk', 'memo'] $$;

-- Raises unless the generation belongs to the tenant of this transaction: the functions below run as the owner.
CREATE FUNCTION recall.demand_own(generation text) RETURNS void
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF generation !~ '^gen_[0-9a-f]{12}$' OR NOT EXISTS (
    SELECT FROM recall.generation g
    WHERE g.tenant_id = current_setting('recall.tenant', true) AND g.id = generation
  ) THEN
    RAISE EXCEPTION 'no generation % of this tenant', generation USING ERRCODE = 'insufficient_privilege';
  END IF;
END
$$;

-- A partition is made apart and then attached: searches go on meanwhile. Vectors stay in line while a page holds them.
CREATE FUNCTION recall.make_partitions(generation text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  parent text;
  part text;
  width int;
BEGIN
  PERFORM recall.demand_own(generation);
  SELECT g.dimension INTO width FROM recall.generation g
  WHERE g.tenant_id = current_setting('recall.tenant', true) AND g.id = generation AND g.state = 'building';
  IF width IS NULL THEN
    RAISE EXCEPTION 'the generation % is not being built', generation USING ERRCODE = 'insufficient_privilege';
  END IF;
  FOREACH parent IN ARRAY recall.partitioned() LOOP
    part := parent || '_' || generation;
    EXECUTE format('CREATE TABLE recall.%I (LIKE recall.%I INCLUDING DEFAULTS, CHECK (generation_id = %L))',
                   part, parent, generation);
    EXECUTE format('ALTER TABLE recall.%I ENABLE ROW LEVEL SECURITY', part);
    EXECUTE format('ALTER TABLE recall.%I FORCE ROW LEVEL SECURITY', part);
    IF parent = 'embedding' AND width <= 1900 THEN
      EXECUTE format('ALTER TABLE recall.%I ALTER COLUMN embedding SET STORAGE PLAIN', part);
    ELSIF parent = 'posting' THEN
      EXECUTE format('ALTER TABLE recall.%I ALTER COLUMN numbers SET STORAGE EXTERNAL,'
                     ' ALTER COLUMN counts SET STORAGE EXTERNAL', part);
    ELSIF parent = 'document_length' THEN
      EXECUTE format('ALTER TABLE recall.%I ALTER COLUMN lengths SET STORAGE EXTERNAL', part);
    END IF;
    EXECUTE format('ALTER TABLE recall.%I ATTACH PARTITION recall.%I FOR VALUES IN (%L)', parent, part, generation);
  END LOOP;
END
$$;

CREATE FUNCTION recall.drop_partitions(generation text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  parent text;
BEGIN
  PERFORM recall.demand_own(generation);
  IF EXISTS (
    SELECT FROM recall.generation g
    WHERE g.tenant_id = current_setting('recall.tenant', true) AND g.id = generation AND g.has_rows
  ) THEN
    RAISE EXCEPTION 'the generation % is in use', generation USING ERRCODE = 'insufficient_privilege';
  END IF;
  FOREACH parent IN ARRAY recall.partitioned() LOOP
    EXECUTE format('DROP TABLE IF EXISTS recall.%I', parent || '_' || generation);
  END LOOP;
END
$$;

-- After the rows are there: the approximate index of the vectors, where one is wanted, and the planner's statistics.
CREATE FUNCTION recall.index_partitions(generation text, approximate bool) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  parent text;
  width int;
BEGIN
  PERFORM recall.demand_own(generation);
  SELECT g.dimension INTO width FROM recall.generation g
  WHERE g.tenant_id = current_setting('recall.tenant', true) AND g.id = generation AND g.state = 'validating';
  IF width IS NULL THEN
    RAISE EXCEPTION 'the generation % is not being built', generation USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF approximate AND width > 0 THEN
    EXECUTE format(
      'CREATE INDEX %I ON recall.%I USING hnsw ((embedding::halfvec(%s)) halfvec_ip_ops)'
      ' WITH (m = 24, ef_construction = 128)',
      'embedding_' || generation || '_hnsw', 'embedding_' || generation, width);
  END IF;
  FOREACH parent IN ARRAY recall.partitioned() LOOP
    EXECUTE format('ANALYZE recall.%I', parent || '_' || generation);
  END LOOP;
END
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA recall FROM PUBLIC;

-- Calibrations, and the labelled queries that they were measured with.
--
-- What was measured never changes. The serving role may write three columns of a row that is there, and a trigger holds
-- everybody to the steps draft -> published -> superseded and draft -> rejected.

-- Labelled queries by their digest, as canonical JSON in ASCII: kept once, however often they are measured.
CREATE TABLE recall.query_set (
  tenant_id text NOT NULL,
  digest text NOT NULL CHECK (digest ~ '^sha256:[0-9a-f]{64}$'),
  queries text NOT NULL,
  stored_by text NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, digest)
);

-- `content` is the artifact as canonical JSON in ASCII; of the former format it is the text of the file, as one string.
CREATE TABLE recall.calibration (
  tenant_id text NOT NULL,
  id text NOT NULL CHECK (id ~ '^cal_[0-9a-f]{20}$'),
  generation_id text,
  state text NOT NULL CHECK (state IN ('draft', 'published', 'superseded', 'rejected', 'legacy_unbound')),
  origin text NOT NULL CHECK (origin IN ('measured', 'imported')),
  query_set_digest text,
  content text NOT NULL,
  stored_by text NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  published_at timestamptz,
  ended_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT calibration_binding CHECK (
    (generation_id IS NULL) = (state = 'legacy_unbound') AND (generation_id IS NULL) = (query_set_digest IS NULL)),
  CONSTRAINT calibration_published CHECK ((published_at IS NOT NULL) = (state IN ('published', 'superseded'))),
  CONSTRAINT calibration_ended CHECK (
    CASE state WHEN 'superseded' THEN ended_at IS NOT NULL WHEN 'rejected' THEN true ELSE ended_at IS NULL END)
);
CREATE UNIQUE INDEX calibration_one_published ON recall.calibration (tenant_id, generation_id)
  WHERE state = 'published';
CREATE INDEX calibration_generation ON recall.calibration (tenant_id, generation_id);

CREATE FUNCTION recall.keep_calibration() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF (NEW.tenant_id, NEW.id, NEW.generation_id, NEW.origin, NEW.query_set_digest, NEW.content, NEW.stored_by,
      NEW.stored_at) IS DISTINCT FROM
     (OLD.tenant_id, OLD.id, OLD.generation_id, OLD.origin, OLD.query_set_digest, OLD.content, OLD.stored_by,
      OLD.stored_at) OR (OLD.published_at IS NOT NULL AND NEW.published_at IS DISTINCT FROM OLD.published_at) THEN
    RAISE EXCEPTION 'the calibration % never changes', OLD.id USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF (OLD.state, NEW.state) NOT IN (('draft', 'published'), ('published', 'superseded'), ('draft', 'rejected')) THEN
    RAISE EXCEPTION 'the calibration % is %, and does not become %', OLD.id, OLD.state, NEW.state
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;

CREATE FUNCTION recall.keep_query_set() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RAISE EXCEPTION 'the query set % never changes', OLD.digest USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER keep BEFORE UPDATE ON recall.calibration
  FOR EACH ROW EXECUTE FUNCTION recall.keep_calibration();
CREATE TRIGGER keep BEFORE UPDATE ON recall.query_set
  FOR EACH ROW EXECUTE FUNCTION recall.keep_query_set();

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['query_set', 'calibration'] LOOP
    EXECUTE format('ALTER TABLE recall.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE recall.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY own_tenant ON recall.%I USING (tenant_id = (SELECT current_setting(''recall.tenant'', true)))'
      ' WITH CHECK (tenant_id = (SELECT current_setting(''recall.tenant'', true)))', name);
  END LOOP;
END
$$;

REVOKE ALL ON FUNCTION recall.keep_calibration(), recall.keep_query_set() FROM PUBLIC;
