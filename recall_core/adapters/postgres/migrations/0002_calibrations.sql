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
