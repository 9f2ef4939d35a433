-- The whole schema of version 1.0.0. What Prisma's schema can't say is here only: functions, triggers, partitions, partial and
-- expression indexes, tables without a write-ahead log.
SET LOCAL check_function_bodies = false; -- some read tables that are created further down

CREATE TYPE role AS ENUM (
    'owner',
    'admin',
    'developer',
    'viewer'
);

CREATE FUNCTION attach_month(parent text, month date) RETURNS text
    LANGUAGE plpgsql
    SET lock_timeout TO '1s'
    AS $$
DECLARE
  first CONSTANT DATE := date_trunc('month', "month")::DATE;
  name CONSTANT TEXT := parent || '_' || to_char(first, 'YYYY_MM');
  kind CONSTANT TEXT := CASE WHEN parent = 'event_search' THEN 'UNLOGGED' ELSE '' END;
  filled BOOLEAN;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('ensure_event_partitions'));
  IF to_regclass(name) IS NOT NULL THEN
    IF parent = 'event_search' AND (SELECT c.relpersistence = 'p' FROM pg_class c WHERE c.oid = to_regclass(name)) THEN
      EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I)', name) INTO filled;
      IF NOT filled THEN
        BEGIN
          EXECUTE format('ALTER TABLE %I SET UNLOGGED', name);
        EXCEPTION WHEN lock_not_available THEN
          NULL; -- somebody reads it: the next call tries again
        END;
      END IF;
    END IF;
    RETURN 'exists';
  END IF;
  EXECUTE format('CREATE %s TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING COMPRESSION)', kind, name, parent);
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, name,
    to_char(first, 'YYYY-MM-DD') || ' 00:00:00+00',
    to_char(first + INTERVAL '1 month', 'YYYY-MM-DD') || ' 00:00:00+00');
  RETURN 'made';
EXCEPTION
  WHEN lock_not_available THEN
    RETURN 'busy';
  WHEN check_violation THEN
    RAISE WARNING 'the default partition of % holds rows of %: they stay there', parent, to_char(first, 'YYYY-MM');
    RETURN 'blocked';
END $$;

CREATE TABLE log_ranges (
    id bigint NOT NULL,
    claim bigint NOT NULL,
    workspace_id text NOT NULL,
    from_xid xid8 NOT NULL,
    from_seq bigint NOT NULL,
    to_xid xid8 NOT NULL,
    to_seq bigint NOT NULL,
    events integer NOT NULL,
    state text DEFAULT 'begun'::text NOT NULL,
    begun_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    ended_at timestamp(3) with time zone
);

CREATE FUNCTION claim_ranges(claim_id bigint, workspaces text[], share integer, most integer, bytes bigint) RETURNS SETOF log_ranges
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  place log_places;
  claimed log_ranges;
  last RECORD;
  horizon xid8;
  events_left INT := most;
  bytes_left BIGINT := bytes;
BEGIN
  UPDATE log_ranges r SET claim = claim_id, state = 'begun'
  WHERE r.id = (
    SELECT w.id FROM log_ranges w
    WHERE w.ended_at IS NULL AND w.state = 'waiting' AND w.workspace_id = ANY (workspaces)
    LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING r.* INTO claimed;
  IF FOUND THEN
    RETURN NEXT claimed;
    RETURN;
  END IF;
  FOR place IN SELECT * FROM log_places p WHERE p.workspace_id = ANY (workspaces) ORDER BY p.workspace_id FOR UPDATE LOOP
    EXIT WHEN events_left <= 0 OR bytes_left <= 0;
    horizon := log_horizon();
    SELECT m.xid, m.seq, m.n, m.upto INTO last FROM (
      SELECT n.xid, n.seq, row_number() OVER inorder AS n, sum(n.size) OVER inorder AS upto FROM (
        SELECT e.xid, e.seq, octet_length(e.body)::bigint AS size FROM events e
        WHERE e.workspace_id = place.workspace_id AND (e.xid, e.seq) > (place.xid, place.seq) AND e.xid < horizon
        ORDER BY e.xid, e.seq LIMIT least(share, events_left)) n
      WINDOW inorder AS (ORDER BY n.xid, n.seq)) m
    WHERE m.upto <= bytes_left OR (m.n = 1 AND events_left = most)
    ORDER BY m.n DESC LIMIT 1;
    CONTINUE WHEN NOT FOUND;
    INSERT INTO log_ranges (claim, workspace_id, from_xid, from_seq, to_xid, to_seq, events)
    VALUES (claim_id, place.workspace_id, place.xid, place.seq, last.xid, last.seq, last.n) RETURNING * INTO claimed;
    UPDATE log_places p SET xid = last.xid, seq = last.seq WHERE p.workspace_id = place.workspace_id;
    events_left := events_left - last.n;
    bytes_left := bytes_left - last.upto;
    RETURN NEXT claimed;
  END LOOP;
END $$;

CREATE FUNCTION copy_quarantine_release() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  NEW.released_at := COALESCE(NEW.released_at, NEW.admitted_at);
  NEW.released_by := COALESCE(NEW.released_by, NEW.admitted_by);
  NEW.admitted_at := NEW.released_at;
  NEW.admitted_by := NEW.released_by;
  RETURN NEW;
END $$;

CREATE FUNCTION copy_sandbox_scenario() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  NEW.scenario := COALESCE(NEW.scenario, NEW.story);
  NEW.story := NEW.scenario;
  IF NEW.state = 'given_up' THEN NEW.state := 'failed'; END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION ensure_event_partitions(from_day date, months integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  outcome TEXT;
  made INT := 0;
BEGIN
  FOR i IN 0 .. months - 1 LOOP
    outcome := attach_month('events', (date_trunc('month', from_day) + make_interval(months => i))::DATE);
    EXIT WHEN outcome = 'busy';
    IF outcome = 'made' THEN made := made + 1; END IF;
  END LOOP;
  RETURN made;
END $$;

CREATE FUNCTION ensure_search_partitions(from_day date, months integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  outcome TEXT;
  made INT := 0;
BEGIN
  FOR i IN 0 .. months - 1 LOOP
    outcome := attach_month('event_search', (date_trunc('month', from_day) + make_interval(months => i))::DATE);
    EXIT WHEN outcome = 'busy';
    IF outcome = 'made' THEN made := made + 1; END IF;
  END LOOP;
  RETURN made;
END $$;

CREATE FUNCTION keep_bases() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF current_setting('signalbox.bases', true) IS DISTINCT FROM 'kept' THEN
    RAISE EXCEPTION 'an event leaves the log only when what it said of records is kept'
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION keep_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD.received_at < now() - make_interval(days => coalesce(
    (SELECT least(w.retention_days, s.retention_days) FROM workspaces w LEFT JOIN sources s ON s.id = OLD.source_id
      WHERE w.id = OLD.workspace_id), 0)) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the event log is append-only: % refused', TG_OP USING ERRCODE = 'object_not_in_prerequisite_state';
END $$;

CREATE FUNCTION keep_verified_quarantine() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF OLD.received_at < now() - make_interval(days => coalesce(
    (SELECT least(w.retention_days, s.retention_days) FROM workspaces w LEFT JOIN sources s ON s.id = OLD.source_id
      WHERE w.id = OLD.workspace_id), 0)) THEN
    RETURN OLD;
  END IF;
  RAISE WARNING 'the quarantined request % verified and is kept by its workspace''s retention', OLD.id;
  RETURN NULL;
END $$;

CREATE FUNCTION log_horizon() RETURNS xid8
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
  seen CONSTANT pg_snapshot := pg_current_snapshot();
  clock BIGINT;
  bystanders xid[];
  oldest xid8;
BEGIN
  SELECT c."offset" INTO clock FROM log_clock c WHERE c.id = 1;
  IF pg_snapshot_xmin(seen) < pg_snapshot_xmax(seen) THEN
    WITH held AS MATERIALIZED (
      SELECT l.locktype, l.transactionid, l.virtualtransaction FROM pg_locks l
      WHERE l.granted AND (
        (l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock')
        OR (l.locktype = 'relation' AND l.mode = 'RowExclusiveLock' AND l.relation = 'events'::regclass
          AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()))))
    SELECT array_agg(t.transactionid) INTO bystanders FROM held t
    WHERE t.locktype = 'transactionid'
      AND NOT EXISTS (SELECT 1 FROM held w WHERE w.locktype = 'relation' AND w.virtualtransaction = t.virtualtransaction);
    -- A statement of its own, so that it runs after the locks were read: a transaction that ended in between has
    -- released its lock on the log, and its events may be invisible to this snapshot.
    SELECT x INTO oldest FROM pg_snapshot_xip(seen) AS x
    WHERE (x::xid = ANY (bystanders) AND pg_xact_status(x) = 'in progress') IS NOT TRUE
    ORDER BY x LIMIT 1;
  END IF;
  RETURN (coalesce(oldest, pg_snapshot_xmax(seen))::text::bigint + coalesce(clock, 0))::text::xid8;
END $$;

CREATE FUNCTION log_position() RETURNS xid8
    LANGUAGE plpgsql
    AS $$
DECLARE
  clock BIGINT;
BEGIN
  SELECT c."offset" INTO clock FROM log_clock c WHERE c.id = 1;
  RETURN (pg_current_xact_id()::text::bigint + coalesce(clock, 0))::text::xid8;
END $$;

CREATE FUNCTION make_log_place() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO log_places (workspace_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
  INSERT INTO event_hour_places (workspace_id, caught_up) VALUES (NEW.id, true) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE FUNCTION note_dead_letters() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO event_hour_failures (workspace_id, source_id, type, hour, recognised, change)
  SELECT e.workspace_id, e.source_id, e.type, date_trunc('hour', e.received_at, 'UTC'), e.recognised,
    (CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END) * count(*)
  FROM changed d JOIN events e ON e.received_at = d.received_at AND e.seq = d.seq
  GROUP BY 1, 2, 3, 4, 5;
  RETURN NULL;
END $$;

CREATE FUNCTION note_source_arrivals() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO source_arrivals AS a (source_id, workspace_id, received_at)
  SELECT f.source_id, min(f.workspace_id), max(f.received_at) FROM fresh f GROUP BY f.source_id
  HAVING NOT EXISTS (
    SELECT 1 FROM source_arrivals x WHERE x.source_id = f.source_id AND x.received_at > max(f.received_at) - INTERVAL '10 seconds')
  ORDER BY f.source_id
  ON CONFLICT (source_id) DO UPDATE SET received_at = GREATEST(a.received_at, EXCLUDED.received_at);
  RETURN NULL;
END $$;

CREATE FUNCTION note_view_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  NEW.changed_xid := log_position();
  RETURN NEW;
END $$;

CREATE FUNCTION refuse_audit_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only: % is refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;

CREATE FUNCTION settled_position() RETURNS xid8
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
  seen CONSTANT pg_snapshot := pg_current_snapshot();
  clock BIGINT;
  elsewhere xid[];
  oldest xid8;
BEGIN
  SELECT c."offset" INTO clock FROM log_clock c WHERE c.id = 1;
  IF pg_snapshot_xmin(seen) < pg_snapshot_xmax(seen) THEN
    SELECT array_agg(l.transactionid) INTO elsewhere FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock' AND l.granted
      AND a.datid <> (SELECT d.oid FROM pg_database d WHERE d.datname = current_database());
    SELECT x INTO oldest FROM pg_snapshot_xip(seen) AS x
    WHERE (x::xid = ANY (elsewhere) AND pg_xact_status(x) = 'in progress') IS NOT TRUE
    ORDER BY x LIMIT 1;
  END IF;
  RETURN (coalesce(oldest, pg_snapshot_xmax(seen))::text::bigint + coalesce(clock, 0))::text::xid8;
END $$;

CREATE FUNCTION skip_first_delivery() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RETURN NULL;
END $$;

CREATE FUNCTION uncount_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  place event_hour_places;
BEGIN
  INSERT INTO event_hour_places (workspace_id) SELECT DISTINCT g.workspace_id FROM gone g ORDER BY 1 ON CONFLICT DO NOTHING;
  FOR place IN SELECT * FROM event_hour_places p WHERE p.workspace_id IN (SELECT g.workspace_id FROM gone g)
    ORDER BY p.workspace_id FOR UPDATE LOOP
    UPDATE event_hours h SET events = h.events - c.events, unrecognised = h.unrecognised - c.unrecognised
    FROM (
      SELECT coalesce(g.source_id, '') AS source_id, coalesce(g.type, '') AS type, date_trunc('hour', g.received_at, 'UTC') AS hour,
        count(*) AS events, count(*) FILTER (WHERE NOT g.recognised) AS unrecognised
      FROM gone g WHERE g.workspace_id = place.workspace_id AND (g.xid, g.seq) <= (place.xid, place.seq)
      GROUP BY 3, CUBE (g.source_id, g.type)) c
    WHERE h.workspace_id = place.workspace_id AND h.source_id = c.source_id AND h.type = c.type AND h.hour = c.hour;
  END LOOP;
  RETURN NULL;
END $$;

CREATE FUNCTION uncounted_events(workspace text) RETURNS TABLE(received_at timestamp with time zone, source_id text, type text, recognised boolean)
    LANGUAGE plpgsql STABLE
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  place event_hour_places;
BEGIN
  SELECT * INTO place FROM event_hour_places p WHERE p.workspace_id = workspace;
  RETURN QUERY SELECT e.received_at, e.source_id, e.type, e.recognised FROM events e
    WHERE e.workspace_id = workspace AND (e.xid, e.seq) > (coalesce(place.xid, '0'), coalesce(place.seq, 0))
    ORDER BY e.xid, e.seq;
END $$;

CREATE FUNCTION waiting_in_log(workspace text, most bigint DEFAULT '9223372036854775807'::bigint) RETURNS TABLE(received_at timestamp with time zone, seq bigint, xid xid8)
    LANGUAGE plpgsql STABLE
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  stretch RECORD;
  left_over BIGINT := most;
  n BIGINT;
BEGIN
  FOR stretch IN
    SELECT r.from_xid, r.from_seq, r.to_xid, r.to_seq FROM log_ranges r WHERE r.workspace_id = workspace AND r.ended_at IS NULL
    UNION ALL
    SELECT coalesce(p.xid, '0'), coalesce(p.seq, 0), '18446744073709551615'::xid8, 9223372036854775807
    FROM (SELECT 1) one LEFT JOIN log_places p ON p.workspace_id = workspace
  LOOP
    EXIT WHEN left_over <= 0;
    RETURN QUERY SELECT e.received_at, e.seq, e.xid FROM events e
      WHERE e.workspace_id = workspace AND (e.xid, e.seq) > (stretch.from_xid, stretch.from_seq)
        AND (e.xid, e.seq) <= (stretch.to_xid, stretch.to_seq)
      ORDER BY e.xid, e.seq LIMIT left_over;
    GET DIAGNOSTICS n = ROW_COUNT;
    left_over := left_over - n;
  END LOOP;
END $$;

CREATE TABLE alert_channels (
    id text NOT NULL,
    workspace_id text NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    rules text[] DEFAULT ARRAY[]::text[],
    recipients text[] DEFAULT ARRAY[]::text[],
    target text NOT NULL,
    sealed text,
    key_id text,
    sender text,
    sender_until timestamp(3) with time zone,
    failing_since timestamp(3) with time zone,
    last_sent_at timestamp(3) with time zone,
    last_failure_at timestamp(3) with time zone,
    last_failure_text text,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    deleted_at timestamp(3) with time zone,
    held_until timestamp(3) with time zone,
    target_sealed text,
    target_key_id text
);

CREATE TABLE alert_episodes (
    id text NOT NULL,
    workspace_id text NOT NULL,
    rule text NOT NULL,
    subject text NOT NULL,
    title text NOT NULL,
    detail text NOT NULL,
    path text NOT NULL,
    action text NOT NULL,
    count integer,
    unit text,
    opened_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    seen_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    closed_at timestamp(3) with time zone,
    notified text DEFAULT 'none'::text NOT NULL,
    remind_at timestamp(3) with time zone
);

CREATE TABLE alert_notifications (
    id bigint NOT NULL,
    workspace_id text NOT NULL,
    episode_id text,
    kind text NOT NULL,
    number integer DEFAULT 1 NOT NULL,
    count integer,
    at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE SEQUENCE alert_notifications_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE alert_notifications_id_seq OWNED BY alert_notifications.id;

CREATE TABLE alert_rules (
    workspace_id text NOT NULL,
    kind text NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    threshold integer,
    muted_until timestamp(3) with time zone,
    muted_by text,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE alert_sends (
    id bigint NOT NULL,
    workspace_id text NOT NULL,
    notification_id bigint NOT NULL,
    channel_id text NOT NULL,
    state text DEFAULT 'pending'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    outcome text,
    finished_at timestamp(3) with time zone
);

CREATE SEQUENCE alert_sends_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE alert_sends_id_seq OWNED BY alert_sends.id;

CREATE TABLE alert_snoozes (
    workspace_id text NOT NULL,
    rule text NOT NULL,
    subject text NOT NULL,
    until timestamp(3) with time zone,
    by text NOT NULL,
    at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE alert_tests (
    id bigint NOT NULL,
    workspace_id text NOT NULL,
    send_id bigint NOT NULL,
    channel_id text NOT NULL,
    asked_by text NOT NULL,
    address text,
    known boolean NOT NULL,
    at timestamp(3) with time zone NOT NULL
);

CREATE SEQUENCE alert_tests_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE alert_tests_id_seq OWNED BY alert_tests.id;

CREATE TABLE alert_watch (
    id integer DEFAULT 1 NOT NULL,
    heartbeat_at timestamp(3) with time zone
);

CREATE TABLE api_keys (
    id text NOT NULL,
    workspace_id text NOT NULL,
    name text NOT NULL,
    hint text NOT NULL,
    key_hash text NOT NULL,
    role role NOT NULL,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    expires_at timestamp(3) with time zone,
    last_used_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone,
    created_by_id text
);

CREATE TABLE arrival_places (
    workspace_id text NOT NULL,
    xid xid8 NOT NULL,
    seq bigint NOT NULL
);

CREATE TABLE attempts (
    id bigint NOT NULL,
    workspace_id text NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    seq bigint NOT NULL,
    redelivery_id text,
    number integer NOT NULL,
    at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    outcome text NOT NULL,
    failure_code text,
    failure_text text
);

CREATE SEQUENCE attempts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE attempts_id_seq OWNED BY attempts.id;

CREATE TABLE audit_entries (
    id bigint NOT NULL,
    workspace_id text NOT NULL,
    at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    action text NOT NULL,
    actor_kind text NOT NULL,
    actor_id text,
    actor_name text NOT NULL,
    credential text,
    address text,
    target_kind text,
    target_id text,
    target_name text,
    before jsonb,
    after jsonb
);

CREATE SEQUENCE audit_entries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE audit_entries_id_seq OWNED BY audit_entries.id;

CREATE TABLE authorization_attempts (
    state_hash text NOT NULL,
    workspace_id text NOT NULL,
    connection_id text NOT NULL,
    user_id text NOT NULL,
    session_hash text NOT NULL,
    redirect_uri text NOT NULL,
    verifier_sealed text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    used_at timestamp(3) with time zone
);

CREATE TABLE backup_folders (
    place text NOT NULL,
    seen_at timestamp(3) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE backup_proofs (
    id text NOT NULL,
    state text NOT NULL,
    file text NOT NULL,
    database text NOT NULL,
    dropped boolean DEFAULT false NOT NULL,
    started_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    finished_at timestamp(3) with time zone,
    runner text NOT NULL,
    beat_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    failure text
);

CREATE TABLE backups (
    id text NOT NULL,
    state text NOT NULL,
    requested boolean NOT NULL,
    file text,
    kept boolean DEFAULT true NOT NULL,
    phase text,
    done bigint DEFAULT 0 NOT NULL,
    total bigint DEFAULT 0 NOT NULL,
    events bigint,
    file_bytes bigint,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    started_at timestamp(3) with time zone,
    finished_at timestamp(3) with time zone,
    stop_requested boolean DEFAULT false NOT NULL,
    runner text,
    beat_at timestamp(3) with time zone,
    failure text,
    place text,
    store text,
    stored boolean DEFAULT false NOT NULL,
    missing_since timestamp(3) with time zone
);

CREATE TABLE connection_history (
    id bigint NOT NULL,
    workspace_id text NOT NULL,
    connection_id text NOT NULL,
    at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    kind text NOT NULL,
    code text,
    detail text,
    actor text,
    event_id text
);

CREATE SEQUENCE connection_history_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE connection_history_id_seq OWNED BY connection_history.id;

CREATE TABLE connection_tokens (
    connection_id text NOT NULL,
    workspace_id text NOT NULL,
    access_sealed text NOT NULL,
    refresh_sealed text,
    key_id text NOT NULL,
    version integer NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE connections (
    id text NOT NULL,
    workspace_id text NOT NULL,
    name text NOT NULL,
    state text NOT NULL,
    account text,
    required_scopes text[],
    granted_scopes text[],
    access_expires_at timestamp(3) with time zone,
    expiry_known boolean DEFAULT true NOT NULL,
    problem_code text,
    problem_detail text,
    problem_at timestamp(3) with time zone,
    last_proven_at timestamp(3) with time zone,
    last_refresh_at timestamp(3) with time zone,
    next_refresh_at timestamp(3) with time zone,
    version integer DEFAULT 0 NOT NULL,
    connected_by text,
    connected_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    claimed_until timestamp(3) with time zone,
    account_before text,
    integration_id text,
    retry_after_until timestamp(3) with time zone
);

CREATE TABLE dead_letters (
    received_at timestamp(3) with time zone NOT NULL,
    seq bigint NOT NULL,
    workspace_id text NOT NULL,
    type text NOT NULL,
    event_id text NOT NULL,
    failure_code text NOT NULL,
    failure_text text NOT NULL,
    attempts integer NOT NULL,
    died_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE destination_minutes (
    destination_id text NOT NULL,
    epoch integer NOT NULL,
    minute timestamp(3) with time zone NOT NULL,
    workspace_id text NOT NULL,
    delivered integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL
);

CREATE TABLE destination_secrets (
    id text NOT NULL,
    workspace_id text NOT NULL,
    destination_id text NOT NULL,
    sealed text NOT NULL,
    key_id text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    valid_until timestamp(3) with time zone
);

CREATE TABLE destination_senders (
    destination_id text NOT NULL,
    workspace_id text NOT NULL,
    sender text NOT NULL,
    until timestamp(3) with time zone NOT NULL
);

CREATE TABLE destinations (
    id text NOT NULL,
    workspace_id text NOT NULL,
    name text NOT NULL,
    url text NOT NULL,
    source_ids text[] DEFAULT ARRAY[]::text[],
    types text[] DEFAULT ARRAY[]::text[],
    filter jsonb,
    mode text NOT NULL,
    ordered boolean DEFAULT false NOT NULL,
    rate integer,
    concurrency integer DEFAULT 10 NOT NULL,
    state text DEFAULT 'active'::text NOT NULL,
    state_reason text,
    state_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    state_by text,
    epoch integer DEFAULT 0 NOT NULL,
    failures_in_row integer DEFAULT 0 NOT NULL,
    failing_since timestamp(3) with time zone,
    last_success_at timestamp(3) with time zone,
    last_failure_at timestamp(3) with time zone,
    last_failure_code text,
    last_failure_text text,
    probe_at timestamp(3) with time zone,
    probes integer DEFAULT 0 NOT NULL,
    attempts_delivered bigint DEFAULT 0 NOT NULL,
    attempts_failed bigint DEFAULT 0 NOT NULL,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    deleted_at timestamp(3) with time zone,
    latency_counts bigint[] DEFAULT ARRAY[]::bigint[],
    latency_sum_ms bigint DEFAULT 0 NOT NULL,
    url_sealed text,
    url_key_id text
);

CREATE TABLE event_conflicts (
    source_id text NOT NULL,
    event_id text NOT NULL,
    body_sha256 bytea NOT NULL,
    workspace_id text NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    body bytea NOT NULL,
    headers jsonb NOT NULL,
    repeats integer DEFAULT 0 NOT NULL,
    body_bytes integer
);

CREATE TABLE event_hour_failures (
    id bigint NOT NULL,
    workspace_id text NOT NULL,
    source_id text NOT NULL,
    type text NOT NULL,
    hour timestamp(3) with time zone NOT NULL,
    recognised boolean NOT NULL,
    change integer NOT NULL
);

CREATE SEQUENCE event_hour_failures_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE event_hour_failures_id_seq OWNED BY event_hour_failures.id;

CREATE TABLE event_hour_places (
    workspace_id text NOT NULL,
    xid xid8 DEFAULT '0'::xid8 NOT NULL,
    seq bigint DEFAULT 0 NOT NULL,
    counted bigint DEFAULT 0 NOT NULL,
    caught_up boolean DEFAULT false NOT NULL,
    counted_at timestamp(3) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE event_hours (
    workspace_id text NOT NULL,
    source_id text NOT NULL,
    type text NOT NULL,
    hour timestamp(3) with time zone NOT NULL,
    events bigint DEFAULT 0 NOT NULL,
    unrecognised bigint DEFAULT 0 NOT NULL,
    failed bigint DEFAULT 0 NOT NULL,
    failed_unrecognised bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='70');

CREATE TABLE event_keys (
    source_id text NOT NULL,
    event_id text NOT NULL,
    workspace_id text NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    seq bigint NOT NULL,
    body_sha256 bytea NOT NULL,
    repeats integer DEFAULT 0 NOT NULL,
    last_repeat_at timestamp(3) with time zone
);

CREATE TABLE event_refs (
    workspace_id text NOT NULL,
    kind text NOT NULL,
    ref text NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    seq bigint NOT NULL
);

CREATE TABLE event_search (
    workspace_id text NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    seq bigint NOT NULL,
    terms tsvector NOT NULL
)
PARTITION BY RANGE (received_at);

CREATE TABLE event_search_default (
    workspace_id text NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    seq bigint NOT NULL,
    terms tsvector NOT NULL
);

CREATE UNLOGGED TABLE event_search_marker (
    mark uuid NOT NULL
);

CREATE TABLE event_search_progress (
    id text NOT NULL,
    xid xid8 NOT NULL,
    seq bigint NOT NULL,
    read_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    alone_left integer DEFAULT 0 NOT NULL
);

CREATE TABLE event_search_refiling (
    id integer DEFAULT 1 NOT NULL,
    mark uuid NOT NULL,
    before_at timestamp(3) with time zone,
    before_seq bigint DEFAULT 0 NOT NULL,
    down_to timestamp(3) with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    begun_at timestamp(3) with time zone,
    ended_at timestamp(3) with time zone
);

CREATE TABLE events (
    received_at timestamp(3) with time zone NOT NULL,
    seq bigint NOT NULL,
    xid xid8 DEFAULT log_position() NOT NULL,
    workspace_id text NOT NULL,
    source_id text NOT NULL,
    event_id text NOT NULL,
    type text NOT NULL,
    created bigint NOT NULL,
    recognised boolean NOT NULL,
    signature_form text NOT NULL,
    secret_id text NOT NULL,
    body bytea NOT NULL,
    headers jsonb NOT NULL,
    remote_address text,
    received_body bytea
)
PARTITION BY RANGE (received_at);

CREATE TABLE events_default (
    received_at timestamp(3) with time zone NOT NULL,
    seq bigint NOT NULL,
    xid xid8 DEFAULT log_position() NOT NULL,
    workspace_id text NOT NULL,
    source_id text NOT NULL,
    event_id text NOT NULL,
    type text NOT NULL,
    created bigint NOT NULL,
    recognised boolean NOT NULL,
    signature_form text NOT NULL,
    secret_id text NOT NULL,
    body bytea NOT NULL,
    headers jsonb NOT NULL,
    remote_address text,
    received_body bytea
);

-- Bodies are read one at a time, and lz4 is faster both ways; a server without it (the built-in one) keeps its default.
DO $$ BEGIN
  ALTER TABLE events ALTER COLUMN body SET COMPRESSION lz4;
  ALTER TABLE events_default ALTER COLUMN body SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;

CREATE SEQUENCE events_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE field_mappings (
    source_id text NOT NULL,
    workspace_id text NOT NULL,
    mapping jsonb NOT NULL,
    changed_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    changed_by text NOT NULL
);

CREATE TABLE missing_event_watch (
    id integer DEFAULT 1 NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    view_id text NOT NULL,
    arrivals_until timestamp(3) with time zone NOT NULL,
    changed_xid xid8,
    changed_key text[],
    picture jsonb
);

CREATE VIEW finding_watch AS
 SELECT missing_event_watch.id,
    missing_event_watch.updated_at,
    missing_event_watch.view_id,
    missing_event_watch.arrivals_until AS heard_at
   FROM missing_event_watch;

CREATE TABLE missing_events (
    id text NOT NULL,
    workspace_id text NOT NULL,
    rule text NOT NULL,
    resource_kind text NOT NULL,
    resource_id text NOT NULL,
    state text NOT NULL,
    evidence text[],
    detail text NOT NULL,
    since timestamp(3) with time zone NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    opened_at timestamp(3) with time zone,
    closed_at timestamp(3) with time zone,
    dismissed_at timestamp(3) with time zone,
    dismissed_by text,
    dismissal_id text,
    snoozed_by text,
    snoozed_until timestamp(3) with time zone
);

CREATE VIEW findings AS
 SELECT missing_events.id,
    missing_events.workspace_id,
    missing_events.rule,
    missing_events.resource_kind,
    missing_events.resource_id,
    missing_events.state,
    missing_events.evidence,
    missing_events.detail,
    missing_events.since,
    missing_events.due_at,
    missing_events.opened_at,
    missing_events.closed_at,
    missing_events.dismissed_at,
    missing_events.dismissed_by
   FROM missing_events;

CREATE TABLE forward_attempts (
    id bigint NOT NULL,
    workspace_id text NOT NULL,
    destination_id text NOT NULL,
    delivery_id bigint NOT NULL,
    number integer NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    outcome text NOT NULL,
    detail text NOT NULL,
    probe boolean DEFAULT false NOT NULL,
    url text NOT NULL,
    request_headers json NOT NULL,
    status integer,
    response_headers json,
    response_body bytea,
    remote_address text,
    dns_ms integer,
    connect_ms integer,
    tls_ms integer,
    first_byte_ms integer,
    total_ms integer NOT NULL,
    attempt_id uuid
);

CREATE SEQUENCE forward_attempts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE forward_attempts_id_seq OWNED BY forward_attempts.id;

CREATE TABLE forward_deliveries (
    id bigint NOT NULL,
    workspace_id text NOT NULL,
    destination_id text NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    seq bigint NOT NULL,
    event_id text NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    state text DEFAULT 'pending'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    due_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    finished_at timestamp(3) with time zone,
    last_code text,
    last_text text,
    starts integer DEFAULT 0 NOT NULL
)
WITH (fillfactor='85', autovacuum_vacuum_scale_factor='0.05');

CREATE SEQUENCE forward_deliveries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE forward_deliveries_id_seq OWNED BY forward_deliveries.id;

CREATE TABLE idempotency_keys (
    id text NOT NULL,
    workspace_id text NOT NULL,
    request_hash text NOT NULL,
    status integer,
    answer_sealed text,
    key_id text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE inbox (
    id bigint NOT NULL,
    workspace_id text NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    seq bigint NOT NULL,
    redelivery_id text,
    attempts integer DEFAULT 0 NOT NULL,
    due_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    range_id bigint,
    handed_on boolean DEFAULT false NOT NULL
);

CREATE TABLE inbox_claims (
    id bigint NOT NULL,
    inbox_ids bigint[],
    alone boolean DEFAULT false NOT NULL,
    claimed_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE SEQUENCE inbox_claims_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE inbox_claims_id_seq OWNED BY inbox_claims.id;

CREATE SEQUENCE inbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE inbox_id_seq OWNED BY inbox.id;

CREATE TABLE invitations (
    id text NOT NULL,
    workspace_id text NOT NULL,
    token_hash text NOT NULL,
    role role NOT NULL,
    email text,
    created_by text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    used_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone,
    created_by_id text
);

CREATE TABLE issue_events (
    issue_id text NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    seq bigint NOT NULL,
    workspace_id text NOT NULL,
    created bigint NOT NULL,
    subject text,
    failed_at timestamp(3) with time zone NOT NULL,
    settled_at timestamp(3) with time zone
);

CREATE TABLE issues (
    id text NOT NULL,
    workspace_id text NOT NULL,
    origin text NOT NULL,
    code text NOT NULL,
    type text NOT NULL,
    place text NOT NULL,
    words text NOT NULL,
    state text DEFAULT 'open'::text NOT NULL,
    state_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    state_by text,
    first_seen_at timestamp(3) with time zone NOT NULL,
    last_seen_at timestamp(3) with time zone NOT NULL,
    sample_event_id text NOT NULL,
    state_cause text,
    assignee_id text
);

CREATE TABLE known_devices (
    id_hash text NOT NULL,
    user_id text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    last_used_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    remembered_until timestamp(3) with time zone,
    user_agent text
);

CREATE TABLE listeners (
    id text NOT NULL,
    workspace_id text NOT NULL,
    name text NOT NULL,
    url text NOT NULL,
    types text[] NOT NULL,
    source text,
    opened_by text NOT NULL,
    connected_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    seen_at timestamp(3) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE local_deliveries (
    id bigint NOT NULL,
    workspace_id text NOT NULL,
    event_id text NOT NULL,
    command text NOT NULL,
    listener text NOT NULL,
    url text NOT NULL,
    redelivery_id text,
    at timestamp(3) with time zone NOT NULL,
    status integer,
    error text,
    duration_ms integer NOT NULL,
    body text,
    recorded_by text NOT NULL
);

CREATE SEQUENCE local_deliveries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE local_deliveries_id_seq OWNED BY local_deliveries.id;

CREATE SEQUENCE log_claims_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE log_clock (
    id integer DEFAULT 1 NOT NULL,
    "offset" bigint DEFAULT 0 NOT NULL,
    raised_at timestamp(3) with time zone
);

CREATE TABLE log_places (
    workspace_id text NOT NULL,
    xid xid8 DEFAULT '0'::xid8 NOT NULL,
    seq bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');

CREATE SEQUENCE log_ranges_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE log_ranges_id_seq OWNED BY log_ranges.id;

CREATE TABLE memberships (
    workspace_id text NOT NULL,
    user_id text NOT NULL,
    role role NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE minute_batches (
    id uuid NOT NULL,
    at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE operations (
    id text NOT NULL,
    workspace_id text NOT NULL,
    state text NOT NULL,
    dry_run boolean DEFAULT false NOT NULL,
    phase text,
    done bigint DEFAULT 0 NOT NULL,
    total bigint DEFAULT 0 NOT NULL,
    requested_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    started_at timestamp(3) with time zone,
    finished_at timestamp(3) with time zone,
    stop_requested boolean DEFAULT false NOT NULL,
    runner text,
    beat_at timestamp(3) with time zone,
    report jsonb,
    failure text,
    claims integer DEFAULT 0 NOT NULL,
    kind text DEFAULT 'rebuild'::text NOT NULL,
    input jsonb DEFAULT '{}'::jsonb NOT NULL,
    counts jsonb DEFAULT '{}'::jsonb NOT NULL,
    checkpoint jsonb
);

CREATE TABLE outage_dismissals (
    workspace_id text NOT NULL,
    until timestamp(3) with time zone NOT NULL
);

CREATE TABLE outage_minutes (
    source_id text NOT NULL,
    minute timestamp(3) with time zone NOT NULL,
    workspace_id text NOT NULL,
    unavailable integer NOT NULL,
    limited integer NOT NULL
);

CREATE TABLE passkey_challenges (
    challenge_hash text NOT NULL,
    bound_to text NOT NULL,
    purpose text NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE passkeys (
    id text NOT NULL,
    user_id text NOT NULL,
    credential_id text NOT NULL,
    name text NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports text[] NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    last_used_at timestamp(3) with time zone
);

CREATE TABLE quarantine (
    id text NOT NULL,
    workspace_id text NOT NULL,
    source_id text NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    reason text NOT NULL,
    detail text NOT NULL,
    verified boolean NOT NULL,
    body bytea NOT NULL,
    body_bytes integer NOT NULL,
    headers jsonb NOT NULL,
    remote_address text,
    admitted_at timestamp(3) with time zone,
    admitted_by text,
    secret_id text,
    released_at timestamp(3) with time zone,
    released_by text,
    dismissed_at timestamp(3) with time zone,
    dismissed_by text,
    dismissal_id text,
    reads_as_event boolean,
    diagnosis jsonb,
    diagnosis_code text,
    diagnosis_about text,
    likely_real boolean,
    diagnosed_with text,
    signature_form text
);

CREATE TABLE receiver_runs (
    id text NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    seen_at timestamp(3) with time zone NOT NULL,
    version text
);

CREATE TABLE recovery_codes (
    user_id text NOT NULL,
    code_hash text NOT NULL,
    used_at timestamp(3) with time zone
);

CREATE TABLE redeliveries (
    id text NOT NULL,
    workspace_id text NOT NULL,
    name text,
    filter jsonb,
    state text NOT NULL,
    total integer NOT NULL,
    requested_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    finished_at timestamp(3) with time zone,
    expired_applied integer DEFAULT 0 NOT NULL,
    expired_failed integer DEFAULT 0 NOT NULL,
    expired_untried integer DEFAULT 0 NOT NULL,
    "position" xid8,
    to_destinations boolean DEFAULT false NOT NULL
);

CREATE TABLE redelivery_items (
    redelivery_id text NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    seq bigint NOT NULL,
    workspace_id text NOT NULL
);

CREATE TABLE rejection_minutes (
    source_id text NOT NULL,
    minute timestamp(3) with time zone NOT NULL,
    workspace_id text NOT NULL,
    rejected integer NOT NULL,
    kept integer NOT NULL
);

CREATE TABLE retention_tallies (
    workspace_id text NOT NULL,
    events integer NOT NULL,
    received_from timestamp(3) with time zone NOT NULL,
    received_to timestamp(3) with time zone NOT NULL
);

CREATE TABLE sandbox_codes (
    code_hash text NOT NULL,
    client_id text NOT NULL,
    redirect_uri text NOT NULL,
    scope text NOT NULL,
    account text NOT NULL,
    challenge text,
    fault text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    used_at timestamp(3) with time zone,
    grant_id text,
    workspace_id text
);

CREATE TABLE sandbox_deliveries (
    id bigint NOT NULL,
    event_id text NOT NULL,
    type text NOT NULL,
    body bytea NOT NULL,
    signature text,
    fault text,
    story text,
    state text DEFAULT 'waiting'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    due_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    last_status integer,
    last_answer text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    done_at timestamp(3) with time zone,
    scenario text,
    workspace_id text
);

CREATE SEQUENCE sandbox_deliveries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE sandbox_deliveries_id_seq OWNED BY sandbox_deliveries.id;

CREATE TABLE sandbox_grants (
    id text NOT NULL,
    client_id text NOT NULL,
    account text NOT NULL,
    scope text NOT NULL,
    access_hash text NOT NULL,
    refresh_hash text NOT NULL,
    access_expires_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    revoked_at timestamp(3) with time zone,
    fault text,
    workspace_id text
);

CREATE TABLE sandbox_platforms (
    workspace_id text NOT NULL,
    source text NOT NULL
);

CREATE TABLE sandbox_received (
    id bigint NOT NULL,
    receiver_id text NOT NULL,
    at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    event_id text,
    type text,
    delivery_id text,
    attempt integer,
    signature text NOT NULL,
    status integer NOT NULL,
    headers json NOT NULL,
    body text NOT NULL
);

CREATE SEQUENCE sandbox_received_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE sandbox_received_id_seq OWNED BY sandbox_received.id;

CREATE TABLE sandbox_receiver_secrets (
    id text NOT NULL,
    workspace_id text NOT NULL,
    receiver_id text NOT NULL,
    sealed text NOT NULL,
    key_id text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE sandbox_receivers (
    id text NOT NULL,
    workspace_id text NOT NULL,
    answer text DEFAULT 'ok'::text NOT NULL,
    every integer DEFAULT 3 NOT NULL,
    status integer DEFAULT 500 NOT NULL,
    delay_ms integer DEFAULT 0 NOT NULL,
    requests bigint DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE sandbox_signing_secrets (
    id text NOT NULL,
    workspace_id text NOT NULL,
    sealed text NOT NULL,
    key_id text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE sandbox_spent_tokens (
    token_hash text NOT NULL,
    grant_id text NOT NULL,
    spent_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE saved_filters (
    id text NOT NULL,
    workspace_id text NOT NULL,
    owner_id text NOT NULL,
    owner_name text NOT NULL,
    name text NOT NULL,
    page text NOT NULL,
    filter jsonb NOT NULL,
    shared boolean DEFAULT false NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE schema_floor (
    id integer DEFAULT 1 NOT NULL,
    oldest_runnable text NOT NULL,
    CONSTRAINT schema_floor_id_check CHECK ((id = 1))
);

CREATE TABLE sender_fetches (
    id text NOT NULL,
    workspace_id text NOT NULL,
    source_id text NOT NULL,
    kind text NOT NULL,
    url_sealed text NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    due_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE sessions (
    id_hash text NOT NULL,
    user_id text NOT NULL,
    workspace_id text NOT NULL,
    user_agent text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    last_seen_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    address text,
    method text DEFAULT 'password'::text NOT NULL,
    factor text,
    confirmed_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE setup_links (
    token_hash text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    used_at timestamp(3) with time zone
);

CREATE TABLE sign_in_failures (
    scope_hash text NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    last_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    locked_until timestamp(3) with time zone
);

CREATE TABLE source_arrivals (
    source_id text NOT NULL,
    workspace_id text NOT NULL,
    received_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE source_cadences (
    source_id text NOT NULL,
    workspace_id text NOT NULL,
    last_event_id text NOT NULL,
    last_received_at timestamp(3) with time zone NOT NULL,
    times bigint[],
    hours integer[],
    arrivals bigint[] DEFAULT ARRAY[]::bigint[]
);

CREATE VIEW source_paces AS
 SELECT source_cadences.source_id,
    source_cadences.workspace_id,
    source_cadences.last_event_id,
    source_cadences.last_received_at,
    source_cadences.times,
    source_cadences.hours
   FROM source_cadences;

CREATE TABLE source_secrets (
    id text NOT NULL,
    workspace_id text NOT NULL,
    source_id text NOT NULL,
    sealed text NOT NULL,
    key_id text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    valid_until timestamp(3) with time zone
);

CREATE TABLE sources (
    id text NOT NULL,
    workspace_id text NOT NULL,
    name text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    template text DEFAULT 'platform'::text NOT NULL,
    scheme jsonb DEFAULT '{}'::jsonb NOT NULL,
    reading jsonb,
    records text DEFAULT 'platform'::text NOT NULL,
    archived_at timestamp(3) with time zone,
    record jsonb,
    paused_at timestamp(3) with time zone,
    retention_days integer,
    gone_before timestamp(3) with time zone,
    keep_late boolean DEFAULT true NOT NULL
);

CREATE TABLE sso_identities (
    issuer text NOT NULL,
    subject text NOT NULL,
    user_id text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE task_moves (
    workspace_id text NOT NULL,
    event_id text NOT NULL,
    task_id text NOT NULL,
    pipeline_id text,
    from_stage text,
    stage text,
    creates boolean NOT NULL,
    at bigint NOT NULL
);

CREATE TABLE token_revocations (
    id text NOT NULL,
    workspace_id text NOT NULL,
    connection_id text NOT NULL,
    sealed text,
    key_id text,
    account text,
    what text NOT NULL,
    state text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE totp_factors (
    user_id text NOT NULL,
    sealed text,
    key_id text,
    last_step bigint,
    confirmed_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE users (
    id text NOT NULL,
    email text NOT NULL,
    name text,
    password_hash text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    time_zone text DEFAULT 'local'::text NOT NULL
);

CREATE TABLE view_bases (
    workspace_id text NOT NULL,
    kind text NOT NULL,
    id text NOT NULL,
    registers jsonb NOT NULL,
    parent text,
    first_at bigint,
    known_from bigint NOT NULL,
    changed_xid xid8 DEFAULT log_position() NOT NULL
);

CREATE TABLE view_folds (
    workspace_id text NOT NULL,
    fold integer NOT NULL,
    bases_since timestamp(3) with time zone
);

CREATE VIEW view_rebuilds AS
 SELECT operations.id,
    operations.workspace_id,
    operations.state,
    operations.dry_run,
    operations.phase,
    operations.done,
    operations.total,
    operations.requested_by,
    operations.created_at,
    operations.started_at,
    operations.finished_at,
    operations.stop_requested,
    operations.runner,
    operations.claims,
    operations.beat_at,
    operations.report,
    operations.failure
   FROM operations
  WHERE (operations.kind = 'rebuild'::text);

CREATE TABLE views (
    workspace_id text NOT NULL,
    kind text NOT NULL,
    id text NOT NULL,
    registers jsonb NOT NULL,
    state text NOT NULL,
    failed boolean DEFAULT false NOT NULL,
    parent text,
    last_created bigint NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    stage text,
    words text DEFAULT ''::text NOT NULL,
    changed_xid xid8 DEFAULT log_position()
)
WITH (fillfactor='70');

CREATE TABLE visits (
    workspace_id text NOT NULL,
    user_id text NOT NULL,
    seen_at timestamp(3) with time zone NOT NULL,
    previous_at timestamp(3) with time zone
);

CREATE TABLE worker_heartbeats (
    id text NOT NULL,
    seen_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    counters jsonb DEFAULT '{}'::jsonb NOT NULL,
    knows text,
    refused text
);

CREATE TABLE worker_totals (
    name text NOT NULL,
    value double precision NOT NULL
);

CREATE TABLE workspaces (
    id text NOT NULL,
    name text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    retention_days integer DEFAULT 90 NOT NULL,
    requires_second_factor boolean DEFAULT false NOT NULL
);
ALTER TABLE ONLY event_search ATTACH PARTITION event_search_default DEFAULT;
ALTER TABLE ONLY events ATTACH PARTITION events_default DEFAULT;

ALTER TABLE ONLY alert_notifications ALTER COLUMN id SET DEFAULT nextval('alert_notifications_id_seq'::regclass);

ALTER TABLE ONLY alert_sends ALTER COLUMN id SET DEFAULT nextval('alert_sends_id_seq'::regclass);

ALTER TABLE ONLY alert_tests ALTER COLUMN id SET DEFAULT nextval('alert_tests_id_seq'::regclass);

ALTER TABLE ONLY attempts ALTER COLUMN id SET DEFAULT nextval('attempts_id_seq'::regclass);

ALTER TABLE ONLY audit_entries ALTER COLUMN id SET DEFAULT nextval('audit_entries_id_seq'::regclass);

ALTER TABLE ONLY connection_history ALTER COLUMN id SET DEFAULT nextval('connection_history_id_seq'::regclass);

ALTER TABLE ONLY event_hour_failures ALTER COLUMN id SET DEFAULT nextval('event_hour_failures_id_seq'::regclass);

ALTER TABLE ONLY forward_attempts ALTER COLUMN id SET DEFAULT nextval('forward_attempts_id_seq'::regclass);

ALTER TABLE ONLY forward_deliveries ALTER COLUMN id SET DEFAULT nextval('forward_deliveries_id_seq'::regclass);

ALTER TABLE ONLY inbox ALTER COLUMN id SET DEFAULT nextval('inbox_id_seq'::regclass);

ALTER TABLE ONLY inbox_claims ALTER COLUMN id SET DEFAULT nextval('inbox_claims_id_seq'::regclass);

ALTER TABLE ONLY local_deliveries ALTER COLUMN id SET DEFAULT nextval('local_deliveries_id_seq'::regclass);

ALTER TABLE ONLY log_ranges ALTER COLUMN id SET DEFAULT nextval('log_ranges_id_seq'::regclass);

ALTER TABLE ONLY sandbox_deliveries ALTER COLUMN id SET DEFAULT nextval('sandbox_deliveries_id_seq'::regclass);

ALTER TABLE ONLY sandbox_received ALTER COLUMN id SET DEFAULT nextval('sandbox_received_id_seq'::regclass);
ALTER TABLE ONLY alert_channels ADD CONSTRAINT alert_channels_pkey PRIMARY KEY (id);
ALTER TABLE ONLY alert_episodes ADD CONSTRAINT alert_episodes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY alert_notifications ADD CONSTRAINT alert_notifications_pkey PRIMARY KEY (id);
ALTER TABLE ONLY alert_rules ADD CONSTRAINT alert_rules_pkey PRIMARY KEY (workspace_id, kind);
ALTER TABLE ONLY alert_sends ADD CONSTRAINT alert_sends_pkey PRIMARY KEY (id);
ALTER TABLE ONLY alert_snoozes ADD CONSTRAINT alert_snoozes_pkey PRIMARY KEY (workspace_id, rule, subject);
ALTER TABLE ONLY alert_tests ADD CONSTRAINT alert_tests_pkey PRIMARY KEY (id);
ALTER TABLE ONLY alert_watch ADD CONSTRAINT alert_watch_pkey PRIMARY KEY (id);
ALTER TABLE ONLY api_keys ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY arrival_places ADD CONSTRAINT arrival_places_pkey PRIMARY KEY (workspace_id);
ALTER TABLE ONLY attempts ADD CONSTRAINT attempts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY audit_entries ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY authorization_attempts ADD CONSTRAINT authorization_attempts_pkey PRIMARY KEY (state_hash);
ALTER TABLE ONLY backup_folders ADD CONSTRAINT backup_folders_pkey PRIMARY KEY (place);
ALTER TABLE ONLY backup_proofs ADD CONSTRAINT backup_proofs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY backups ADD CONSTRAINT backups_pkey PRIMARY KEY (id);
ALTER TABLE ONLY connection_history ADD CONSTRAINT connection_history_pkey PRIMARY KEY (id);
ALTER TABLE ONLY connection_tokens ADD CONSTRAINT connection_tokens_pkey PRIMARY KEY (connection_id);
ALTER TABLE ONLY connections ADD CONSTRAINT connections_pkey PRIMARY KEY (id);
ALTER TABLE ONLY dead_letters ADD CONSTRAINT dead_letters_pkey PRIMARY KEY (received_at, seq);
ALTER TABLE ONLY destination_minutes ADD CONSTRAINT destination_minutes_pkey PRIMARY KEY (destination_id, epoch, minute);
ALTER TABLE ONLY destination_secrets ADD CONSTRAINT destination_secrets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY destination_senders ADD CONSTRAINT destination_senders_pkey PRIMARY KEY (destination_id);
ALTER TABLE ONLY destinations ADD CONSTRAINT destinations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY event_conflicts ADD CONSTRAINT event_conflicts_pkey PRIMARY KEY (source_id, event_id, body_sha256);
ALTER TABLE ONLY event_hour_failures ADD CONSTRAINT event_hour_failures_pkey PRIMARY KEY (id);
ALTER TABLE ONLY event_hour_places ADD CONSTRAINT event_hour_places_pkey PRIMARY KEY (workspace_id);
ALTER TABLE ONLY event_hours ADD CONSTRAINT event_hours_pkey PRIMARY KEY (workspace_id, source_id, type, hour);
ALTER TABLE ONLY event_keys ADD CONSTRAINT event_keys_pkey PRIMARY KEY (source_id, event_id);
ALTER TABLE ONLY event_refs ADD CONSTRAINT event_refs_pkey PRIMARY KEY (workspace_id, ref, received_at, seq, kind);
ALTER TABLE ONLY event_search ADD CONSTRAINT event_search_pkey PRIMARY KEY (workspace_id, received_at, seq);
ALTER TABLE ONLY event_search_default ADD CONSTRAINT event_search_default_pkey PRIMARY KEY (workspace_id, received_at, seq);
ALTER TABLE ONLY event_search_marker ADD CONSTRAINT event_search_marker_pkey PRIMARY KEY (mark);
ALTER TABLE ONLY event_search_progress ADD CONSTRAINT event_search_progress_pkey PRIMARY KEY (id);
ALTER TABLE ONLY event_search_refiling ADD CONSTRAINT event_search_refiling_pkey PRIMARY KEY (id);
ALTER TABLE ONLY events ADD CONSTRAINT events_pkey PRIMARY KEY (received_at, seq);
ALTER TABLE ONLY events_default ADD CONSTRAINT events_default_pkey PRIMARY KEY (received_at, seq);
ALTER TABLE ONLY field_mappings ADD CONSTRAINT field_mappings_pkey PRIMARY KEY (source_id);
ALTER TABLE ONLY forward_attempts ADD CONSTRAINT forward_attempts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY forward_deliveries ADD CONSTRAINT forward_deliveries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY idempotency_keys ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inbox_claims ADD CONSTRAINT inbox_claims_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inbox ADD CONSTRAINT inbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY invitations ADD CONSTRAINT invitations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY issue_events ADD CONSTRAINT issue_events_pkey PRIMARY KEY (issue_id, received_at, seq);
ALTER TABLE ONLY issues ADD CONSTRAINT issues_pkey PRIMARY KEY (id);
ALTER TABLE ONLY known_devices ADD CONSTRAINT known_devices_pkey PRIMARY KEY (id_hash, user_id);
ALTER TABLE ONLY listeners ADD CONSTRAINT listeners_pkey PRIMARY KEY (id);
ALTER TABLE ONLY local_deliveries ADD CONSTRAINT local_deliveries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY log_clock ADD CONSTRAINT log_clock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY log_places ADD CONSTRAINT log_places_pkey PRIMARY KEY (workspace_id);
ALTER TABLE ONLY log_ranges ADD CONSTRAINT log_ranges_pkey PRIMARY KEY (id);
ALTER TABLE ONLY memberships ADD CONSTRAINT memberships_pkey PRIMARY KEY (workspace_id, user_id);
ALTER TABLE ONLY minute_batches ADD CONSTRAINT minute_batches_pkey PRIMARY KEY (id);
ALTER TABLE ONLY missing_event_watch ADD CONSTRAINT missing_event_watch_pkey PRIMARY KEY (id);
ALTER TABLE ONLY missing_events ADD CONSTRAINT missing_events_key PRIMARY KEY (resource_id, resource_kind, rule, workspace_id);
ALTER TABLE ONLY operations ADD CONSTRAINT operations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY outage_dismissals ADD CONSTRAINT outage_dismissals_pkey PRIMARY KEY (workspace_id);
ALTER TABLE ONLY outage_minutes ADD CONSTRAINT outage_minutes_pkey PRIMARY KEY (source_id, minute);
ALTER TABLE ONLY passkey_challenges ADD CONSTRAINT passkey_challenges_pkey PRIMARY KEY (challenge_hash);
ALTER TABLE ONLY passkeys ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY quarantine ADD CONSTRAINT quarantine_pkey PRIMARY KEY (id);
ALTER TABLE ONLY receiver_runs ADD CONSTRAINT receiver_runs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY recovery_codes ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash);
ALTER TABLE ONLY redeliveries ADD CONSTRAINT redeliveries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY redelivery_items ADD CONSTRAINT redelivery_items_pkey PRIMARY KEY (redelivery_id, received_at, seq);
ALTER TABLE ONLY rejection_minutes ADD CONSTRAINT rejection_minutes_pkey PRIMARY KEY (source_id, minute);
ALTER TABLE ONLY retention_tallies ADD CONSTRAINT retention_tallies_pkey PRIMARY KEY (workspace_id);
ALTER TABLE ONLY sandbox_codes ADD CONSTRAINT sandbox_codes_pkey PRIMARY KEY (code_hash);
ALTER TABLE ONLY sandbox_deliveries ADD CONSTRAINT sandbox_deliveries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sandbox_grants ADD CONSTRAINT sandbox_grants_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sandbox_platforms ADD CONSTRAINT sandbox_platforms_pkey PRIMARY KEY (workspace_id);
ALTER TABLE ONLY sandbox_received ADD CONSTRAINT sandbox_received_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sandbox_receiver_secrets ADD CONSTRAINT sandbox_receiver_secrets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sandbox_receivers ADD CONSTRAINT sandbox_receivers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sandbox_signing_secrets ADD CONSTRAINT sandbox_signing_secrets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sandbox_spent_tokens ADD CONSTRAINT sandbox_spent_tokens_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY saved_filters ADD CONSTRAINT saved_filters_pkey PRIMARY KEY (id);
ALTER TABLE ONLY schema_floor ADD CONSTRAINT schema_floor_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sender_fetches ADD CONSTRAINT sender_fetches_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sessions ADD CONSTRAINT sessions_pkey PRIMARY KEY (id_hash);
ALTER TABLE ONLY setup_links ADD CONSTRAINT setup_links_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY sign_in_failures ADD CONSTRAINT sign_in_failures_pkey PRIMARY KEY (scope_hash);
ALTER TABLE ONLY source_arrivals ADD CONSTRAINT source_arrivals_pkey PRIMARY KEY (source_id);
ALTER TABLE ONLY source_cadences ADD CONSTRAINT source_cadences_pkey PRIMARY KEY (source_id);
ALTER TABLE ONLY source_secrets ADD CONSTRAINT source_secrets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sources ADD CONSTRAINT sources_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sso_identities ADD CONSTRAINT sso_identities_pkey PRIMARY KEY (issuer, subject);
ALTER TABLE ONLY task_moves ADD CONSTRAINT task_moves_pkey PRIMARY KEY (workspace_id, event_id);
ALTER TABLE ONLY token_revocations ADD CONSTRAINT token_revocations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY totp_factors ADD CONSTRAINT totp_factors_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY users ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY view_bases ADD CONSTRAINT view_bases_pkey PRIMARY KEY (id, kind, workspace_id);
ALTER TABLE ONLY view_folds ADD CONSTRAINT view_folds_pkey PRIMARY KEY (workspace_id);
ALTER TABLE ONLY views ADD CONSTRAINT views_pkey PRIMARY KEY (id, kind, workspace_id);
ALTER TABLE ONLY visits ADD CONSTRAINT visits_pkey PRIMARY KEY (workspace_id, user_id);
ALTER TABLE ONLY worker_heartbeats ADD CONSTRAINT worker_heartbeats_pkey PRIMARY KEY (id);
ALTER TABLE ONLY worker_totals ADD CONSTRAINT worker_totals_pkey PRIMARY KEY (name);
ALTER TABLE ONLY workspaces ADD CONSTRAINT workspaces_pkey PRIMARY KEY (id);
CREATE INDEX alert_channels_key_id_idx ON alert_channels USING btree (key_id);
CREATE INDEX alert_channels_workspace_id_created_at_idx ON alert_channels USING btree (workspace_id, created_at);
CREATE INDEX alert_episodes_closed_idx ON alert_episodes USING btree (workspace_id, rule, subject, closed_at) WHERE (closed_at IS NOT NULL);
CREATE UNIQUE INDEX alert_episodes_open_key ON alert_episodes USING btree (workspace_id, rule, subject) WHERE (closed_at IS NULL);
CREATE INDEX alert_episodes_unsettled_idx ON alert_episodes USING btree (id) WHERE ((closed_at IS NULL) OR (notified = 'open'::text));
CREATE INDEX alert_episodes_workspace_id_opened_at_id_idx ON alert_episodes USING btree (workspace_id, opened_at DESC, id);
CREATE INDEX alert_notifications_at_idx ON alert_notifications USING btree (at);
CREATE UNIQUE INDEX alert_notifications_key ON alert_notifications USING btree (episode_id, kind, number);
CREATE UNIQUE INDEX alert_sends_key ON alert_sends USING btree (notification_id, channel_id);
CREATE INDEX alert_sends_pending_idx ON alert_sends USING btree (channel_id, due_at) WHERE (state = 'pending'::text);
CREATE INDEX alert_tests_at_idx ON alert_tests USING btree (at);
CREATE UNIQUE INDEX api_keys_key_hash_key ON api_keys USING btree (key_hash);
CREATE INDEX api_keys_workspace_id_idx ON api_keys USING btree (workspace_id);
CREATE INDEX attempts_received_at_seq_idx ON attempts USING btree (received_at, seq);
CREATE INDEX attempts_redelivery_idx ON attempts USING btree (redelivery_id, received_at, seq) WHERE (redelivery_id IS NOT NULL);
CREATE INDEX attempts_workspace_id_at_idx ON attempts USING btree (workspace_id, at);
CREATE INDEX audit_entries_workspace_id_action_id_idx ON audit_entries USING btree (workspace_id, action, id DESC);
CREATE INDEX audit_entries_workspace_id_id_idx ON audit_entries USING btree (workspace_id, id DESC);
CREATE INDEX authorization_attempts_connection_id_idx ON authorization_attempts USING btree (connection_id);
CREATE INDEX authorization_attempts_expires_at_idx ON authorization_attempts USING btree (expires_at);
CREATE INDEX authorization_attempts_session_hash_created_at_idx ON authorization_attempts USING btree (session_hash, created_at);
CREATE INDEX backup_proofs_started_at_idx ON backup_proofs USING btree (started_at DESC);
CREATE INDEX backups_created_at_idx ON backups USING btree (created_at DESC);
CREATE UNIQUE INDEX connection_history_connection_id_event_id_key ON connection_history USING btree (connection_id, event_id);
CREATE INDEX connection_history_connection_id_id_idx ON connection_history USING btree (connection_id, id);
CREATE INDEX connection_tokens_key_id_idx ON connection_tokens USING btree (key_id);
CREATE INDEX connections_next_refresh_at_idx ON connections USING btree (next_refresh_at);
CREATE INDEX connections_workspace_id_created_at_idx ON connections USING btree (workspace_id, created_at);
CREATE INDEX dead_letters_workspace_id_died_at_idx ON dead_letters USING btree (workspace_id, died_at);
CREATE INDEX dead_letters_workspace_id_received_at_seq_idx ON dead_letters USING btree (workspace_id, received_at DESC, seq DESC);
CREATE INDEX destination_minutes_minute_idx ON destination_minutes USING btree (minute);
CREATE INDEX destination_secrets_destination_id_idx ON destination_secrets USING btree (destination_id);
CREATE INDEX destination_secrets_key_id_idx ON destination_secrets USING btree (key_id);
CREATE INDEX destinations_workspace_id_created_at_idx ON destinations USING btree (workspace_id, created_at);
CREATE INDEX event_hour_failures_workspace_id_idx ON event_hour_failures USING btree (workspace_id);
CREATE INDEX event_keys_repeated_idx ON event_keys USING btree (workspace_id, received_at DESC, seq DESC) WHERE (repeats > 0);
CREATE INDEX event_refs_received_at_seq_idx ON event_refs USING btree (received_at, seq);
CREATE INDEX event_search_terms_idx ON ONLY event_search USING gin (terms);
CREATE INDEX event_search_default_terms_idx ON event_search_default USING gin (terms);
CREATE INDEX event_search_in_part_idx ON ONLY event_search USING btree (workspace_id, received_at) WHERE ((length(terms) = 200) OR (terms @@ '''IN_PART'''::tsquery));
CREATE INDEX event_search_default_workspace_id_received_at_idx ON event_search_default USING btree (workspace_id, received_at) WHERE ((length(terms) = 200) OR (terms @@ '''IN_PART'''::tsquery));
CREATE INDEX events_workspace_id_received_at_seq_idx ON ONLY events USING btree (workspace_id, received_at DESC, seq DESC);
CREATE INDEX events_default_workspace_id_received_at_seq_idx ON events_default USING btree (workspace_id, received_at DESC, seq DESC);
CREATE INDEX events_unrecognised_idx ON ONLY events USING btree (workspace_id, received_at DESC, seq DESC) WHERE (NOT recognised);
CREATE INDEX events_default_workspace_id_received_at_seq_idx1 ON events_default USING btree (workspace_id, received_at DESC, seq DESC) WHERE (NOT recognised);
CREATE INDEX events_workspace_id_type_received_at_seq_idx ON ONLY events USING btree (workspace_id, type, received_at DESC, seq DESC);
CREATE INDEX events_default_workspace_id_type_received_at_seq_idx ON events_default USING btree (workspace_id, type, received_at DESC, seq DESC);
CREATE INDEX events_workspace_id_xid_seq_idx ON ONLY events USING btree (workspace_id, xid, seq);
CREATE INDEX events_default_workspace_id_xid_seq_idx ON events_default USING btree (workspace_id, xid, seq);
CREATE INDEX field_mappings_workspace_id_idx ON field_mappings USING btree (workspace_id);
CREATE UNIQUE INDEX forward_attempts_attempt_id_key ON forward_attempts USING btree (attempt_id) WHERE (attempt_id IS NOT NULL);
CREATE INDEX forward_attempts_delivery_id_idx ON forward_attempts USING btree (delivery_id);
CREATE INDEX forward_attempts_destination_id_id_idx ON forward_attempts USING btree (destination_id, id DESC);
CREATE INDEX forward_deliveries_due_idx ON forward_deliveries USING btree (destination_id, due_at, id) WHERE (state = 'pending'::text);
CREATE INDEX forward_deliveries_exhausted_idx ON forward_deliveries USING btree (destination_id, received_at, seq) WHERE (state = ANY (ARRAY['exhausted'::text, 'skipped'::text]));
CREATE UNIQUE INDEX forward_deliveries_key ON forward_deliveries USING btree (destination_id, received_at DESC, seq DESC);
CREATE INDEX forward_deliveries_order_idx ON forward_deliveries USING btree (destination_id, subject, seq) WHERE (state = 'pending'::text);
CREATE INDEX forward_deliveries_received_at_seq_idx ON forward_deliveries USING btree (received_at, seq);
CREATE INDEX idempotency_keys_expires_at_idx ON idempotency_keys USING btree (expires_at);
CREATE INDEX inbox_received_at_seq_idx ON inbox USING btree (received_at, seq);
CREATE INDEX inbox_redelivery_idx ON inbox USING btree (redelivery_id) WHERE (redelivery_id IS NOT NULL);
CREATE INDEX inbox_retries_idx ON inbox USING btree (workspace_id, due_at, id) WHERE (attempts > 0);
CREATE INDEX inbox_workspace_id_due_at_id_idx ON inbox USING btree (workspace_id, due_at, id);
CREATE UNIQUE INDEX invitations_token_hash_key ON invitations USING btree (token_hash);
CREATE INDEX invitations_workspace_id_created_at_idx ON invitations USING btree (workspace_id, created_at);
CREATE INDEX issue_events_issue_id_failed_at_idx ON issue_events USING btree (issue_id, failed_at);
CREATE INDEX issue_events_received_at_seq_idx ON issue_events USING btree (received_at, seq);
CREATE INDEX issue_events_workspace_id_subject_idx ON issue_events USING btree (workspace_id, subject);
CREATE INDEX issues_workspace_id_last_seen_at_id_idx ON issues USING btree (workspace_id, last_seen_at DESC, id);
CREATE INDEX known_devices_user_id_idx ON known_devices USING btree (user_id);
CREATE INDEX listeners_workspace_id_connected_at_idx ON listeners USING btree (workspace_id, connected_at);
CREATE INDEX local_deliveries_at_idx ON local_deliveries USING btree (at);
CREATE INDEX local_deliveries_workspace_id_event_id_at_idx ON local_deliveries USING btree (workspace_id, event_id, at DESC);
CREATE INDEX log_ranges_ended_at_idx ON log_ranges USING btree (ended_at);
CREATE INDEX log_ranges_open_idx ON log_ranges USING btree (workspace_id) WHERE (ended_at IS NULL);
CREATE INDEX log_ranges_workspace_id_to_xid_to_seq_idx ON log_ranges USING btree (workspace_id, to_xid, to_seq);
CREATE INDEX memberships_user_id_idx ON memberships USING btree (user_id);
CREATE INDEX minute_batches_at_idx ON minute_batches USING btree (at);
CREATE UNIQUE INDEX missing_events_id_key ON missing_events USING btree (id);
CREATE INDEX missing_events_state_due_at_idx ON missing_events USING btree (state, due_at);
CREATE INDEX missing_events_workspace_id_state_since_id_idx ON missing_events USING btree (workspace_id, state, since DESC, id);
CREATE INDEX operations_kind_state_created_at_idx ON operations USING btree (kind, state, created_at);
CREATE INDEX operations_workspace_id_created_at_idx ON operations USING btree (workspace_id, created_at DESC);
CREATE INDEX outage_minutes_minute_idx ON outage_minutes USING btree (minute);
CREATE INDEX outage_minutes_workspace_id_minute_idx ON outage_minutes USING btree (workspace_id, minute);
CREATE UNIQUE INDEX passkey_challenges_bound_to_purpose_key ON passkey_challenges USING btree (bound_to, purpose);
CREATE INDEX passkey_challenges_expires_at_idx ON passkey_challenges USING btree (expires_at);
CREATE UNIQUE INDEX passkeys_credential_id_key ON passkeys USING btree (credential_id);
CREATE INDEX passkeys_user_id_idx ON passkeys USING btree (user_id);
CREATE INDEX quarantine_of_source_idx ON quarantine USING btree (source_id, received_at DESC, id DESC) WHERE (released_at IS NULL);
CREATE INDEX quarantine_received_at_idx ON quarantine USING btree (received_at);
CREATE INDEX quarantine_undiagnosed_idx ON quarantine USING btree (source_id, received_at DESC, id DESC) WHERE ((released_at IS NULL) AND (diagnosed_with IS NULL));
CREATE INDEX quarantine_unverified_idx ON quarantine USING btree (source_id, received_at DESC, id DESC) WHERE (NOT verified);
CREATE INDEX quarantine_workspace_id_received_at_id_idx ON quarantine USING btree (workspace_id, received_at DESC, id);
CREATE INDEX receiver_runs_started_at_idx ON receiver_runs USING btree (started_at);
CREATE INDEX redeliveries_workspace_id_created_at_idx ON redeliveries USING btree (workspace_id, created_at);
CREATE INDEX redeliveries_workspace_id_position_idx ON redeliveries USING btree (workspace_id, "position");
CREATE INDEX redelivery_items_received_at_seq_idx ON redelivery_items USING btree (received_at, seq);
CREATE INDEX rejection_minutes_minute_idx ON rejection_minutes USING btree (minute);
CREATE INDEX sandbox_deliveries_created_at_idx ON sandbox_deliveries USING btree (created_at DESC);
CREATE INDEX sandbox_deliveries_state_due_at_idx ON sandbox_deliveries USING btree (state, due_at);
CREATE INDEX sandbox_deliveries_workspace_id_state_due_at_idx ON sandbox_deliveries USING btree (workspace_id, state, due_at);
CREATE UNIQUE INDEX sandbox_grants_access_hash_key ON sandbox_grants USING btree (access_hash);
CREATE UNIQUE INDEX sandbox_grants_refresh_hash_key ON sandbox_grants USING btree (refresh_hash);
CREATE INDEX sandbox_grants_workspace_id_idx ON sandbox_grants USING btree (workspace_id);
CREATE INDEX sandbox_received_receiver_id_id_idx ON sandbox_received USING btree (receiver_id, id DESC);
CREATE INDEX sandbox_receiver_secrets_receiver_id_idx ON sandbox_receiver_secrets USING btree (receiver_id);
CREATE UNIQUE INDEX sandbox_receivers_workspace_id_key ON sandbox_receivers USING btree (workspace_id);
CREATE INDEX sandbox_signing_secrets_created_at_idx ON sandbox_signing_secrets USING btree (created_at);
CREATE INDEX saved_filters_workspace_id_owner_id_idx ON saved_filters USING btree (workspace_id, owner_id);
CREATE INDEX sender_fetches_due_at_idx ON sender_fetches USING btree (due_at);
CREATE INDEX sender_fetches_source_id_idx ON sender_fetches USING btree (source_id);
CREATE INDEX sessions_expires_at_idx ON sessions USING btree (expires_at);
CREATE INDEX sessions_user_id_idx ON sessions USING btree (user_id);
CREATE INDEX source_arrivals_workspace_id_idx ON source_arrivals USING btree (workspace_id);
CREATE INDEX source_cadences_workspace_id_idx ON source_cadences USING btree (workspace_id);
CREATE INDEX source_secrets_key_id_idx ON source_secrets USING btree (key_id);
CREATE INDEX source_secrets_source_id_idx ON source_secrets USING btree (source_id);
CREATE UNIQUE INDEX sources_name_key ON sources USING btree (name);
CREATE INDEX sources_workspace_id_idx ON sources USING btree (workspace_id);
CREATE INDEX sso_identities_user_id_idx ON sso_identities USING btree (user_id);
CREATE INDEX task_moves_workspace_id_pipeline_id_at_idx ON task_moves USING btree (workspace_id, pipeline_id, at);
CREATE INDEX task_moves_workspace_id_task_id_idx ON task_moves USING btree (workspace_id, task_id);
CREATE INDEX token_revocations_due_idx ON token_revocations USING btree (due_at) WHERE (state = 'waiting'::text);
CREATE INDEX token_revocations_key_id_idx ON token_revocations USING btree (key_id);
CREATE INDEX token_revocations_workspace_id_connection_id_idx ON token_revocations USING btree (workspace_id, connection_id);
CREATE UNIQUE INDEX users_email_key ON users USING btree (email);
CREATE INDEX view_bases_workspace_id_changed_xid_idx ON view_bases USING btree (workspace_id, changed_xid);
CREATE INDEX view_bases_workspace_id_kind_parent_known_from_idx ON view_bases USING btree (workspace_id, kind, parent, known_from);
CREATE INDEX views_assignee_idx ON views USING btree (workspace_id, COALESCE(((registers -> 'assignee'::text) ->> 'v'::text), ((registers -> 'team'::text) ->> 'v'::text)), last_created DESC) WHERE (kind = 'task'::text);
CREATE INDEX views_board_idx ON views USING btree (workspace_id, kind, parent, stage, state, last_created DESC) WHERE (parent IS NOT NULL);
CREATE INDEX views_changed_xid_id_idx ON views USING btree (changed_xid, id);
CREATE INDEX views_list_idx ON views USING btree (workspace_id, kind, last_created DESC, id) INCLUDE (words) WHERE (kind IS NOT NULL);
CREATE INDEX views_workspace_id_kind_state_last_created_id_idx ON views USING btree (workspace_id, kind, state, last_created DESC, id);
ALTER INDEX event_search_pkey ATTACH PARTITION event_search_default_pkey;
ALTER INDEX event_search_terms_idx ATTACH PARTITION event_search_default_terms_idx;
ALTER INDEX event_search_in_part_idx ATTACH PARTITION event_search_default_workspace_id_received_at_idx;
ALTER INDEX events_pkey ATTACH PARTITION events_default_pkey;
ALTER INDEX events_workspace_id_received_at_seq_idx ATTACH PARTITION events_default_workspace_id_received_at_seq_idx;
ALTER INDEX events_unrecognised_idx ATTACH PARTITION events_default_workspace_id_received_at_seq_idx1;
ALTER INDEX events_workspace_id_type_received_at_seq_idx ATTACH PARTITION events_default_workspace_id_type_received_at_seq_idx;
ALTER INDEX events_workspace_id_xid_seq_idx ATTACH PARTITION events_default_workspace_id_xid_seq_idx;
CREATE TRIGGER audit_entries_append_only BEFORE DELETE OR UPDATE ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_entries_never_emptied BEFORE TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER copy_quarantine_release BEFORE UPDATE ON quarantine FOR EACH ROW EXECUTE FUNCTION copy_quarantine_release();
CREATE TRIGGER copy_sandbox_scenario BEFORE INSERT OR UPDATE ON sandbox_deliveries FOR EACH ROW EXECUTE FUNCTION copy_sandbox_scenario();
CREATE TRIGGER event_keys_leave_bases BEFORE DELETE ON event_keys FOR EACH STATEMENT EXECUTE FUNCTION keep_bases();
CREATE TRIGGER events_are_kept BEFORE DELETE OR UPDATE ON events FOR EACH ROW EXECUTE FUNCTION keep_events();
CREATE TRIGGER make_log_place AFTER INSERT ON workspaces FOR EACH ROW EXECUTE FUNCTION make_log_place();
CREATE TRIGGER note_gone_dead_letters AFTER DELETE ON dead_letters REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_dead_letters();
CREATE TRIGGER note_new_dead_letters AFTER INSERT ON dead_letters REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_dead_letters();
CREATE TRIGGER note_source_arrivals AFTER INSERT ON event_keys REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION note_source_arrivals();
CREATE TRIGGER note_view_change BEFORE UPDATE ON views FOR EACH ROW WHEN ((NOT (new.changed_xid IS DISTINCT FROM old.changed_xid))) EXECUTE FUNCTION note_view_change();
CREATE TRIGGER skip_first_delivery BEFORE INSERT ON inbox FOR EACH ROW WHEN (((new.redelivery_id IS NULL) AND (new.range_id IS NULL))) EXECUTE FUNCTION skip_first_delivery();
CREATE TRIGGER uncount_events AFTER DELETE ON events REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION uncount_events();
CREATE TRIGGER verified_quarantine_is_kept BEFORE DELETE ON quarantine FOR EACH ROW WHEN (old.verified) EXECUTE FUNCTION keep_verified_quarantine();
ALTER TABLE ONLY alert_channels ADD CONSTRAINT alert_channels_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY alert_episodes ADD CONSTRAINT alert_episodes_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY alert_notifications ADD CONSTRAINT alert_notifications_episode_id_fkey FOREIGN KEY (episode_id) REFERENCES alert_episodes(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY alert_rules ADD CONSTRAINT alert_rules_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY alert_sends ADD CONSTRAINT alert_sends_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES alert_channels(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY alert_sends ADD CONSTRAINT alert_sends_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES alert_notifications(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY alert_tests ADD CONSTRAINT alert_tests_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY api_keys ADD CONSTRAINT api_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY authorization_attempts ADD CONSTRAINT authorization_attempts_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY connection_history ADD CONSTRAINT connection_history_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY connection_tokens ADD CONSTRAINT connection_tokens_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY connections ADD CONSTRAINT connections_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY destination_secrets ADD CONSTRAINT destination_secrets_destination_id_fkey FOREIGN KEY (destination_id) REFERENCES destinations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY destinations ADD CONSTRAINT destinations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY field_mappings ADD CONSTRAINT field_mappings_source_id_fkey FOREIGN KEY (source_id) REFERENCES sources(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY idempotency_keys ADD CONSTRAINT idempotency_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY invitations ADD CONSTRAINT invitations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY issues ADD CONSTRAINT issues_workspace_id_assignee_id_fkey FOREIGN KEY (workspace_id, assignee_id) REFERENCES memberships(workspace_id, user_id) ON UPDATE CASCADE ON DELETE SET NULL (assignee_id);
ALTER TABLE ONLY known_devices ADD CONSTRAINT known_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY memberships ADD CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY memberships ADD CONSTRAINT memberships_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY passkeys ADD CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY recovery_codes ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY sandbox_platforms ADD CONSTRAINT sandbox_platforms_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY sandbox_received ADD CONSTRAINT sandbox_received_receiver_id_fkey FOREIGN KEY (receiver_id) REFERENCES sandbox_receivers(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY sandbox_receiver_secrets ADD CONSTRAINT sandbox_receiver_secrets_receiver_id_fkey FOREIGN KEY (receiver_id) REFERENCES sandbox_receivers(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY sandbox_receivers ADD CONSTRAINT sandbox_receivers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY saved_filters ADD CONSTRAINT saved_filters_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY sender_fetches ADD CONSTRAINT sender_fetches_source_id_fkey FOREIGN KEY (source_id) REFERENCES sources(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY sessions ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY sessions ADD CONSTRAINT sessions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY source_secrets ADD CONSTRAINT source_secrets_source_id_fkey FOREIGN KEY (source_id) REFERENCES sources(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY sources ADD CONSTRAINT sources_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY sso_identities ADD CONSTRAINT sso_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY token_revocations ADD CONSTRAINT token_revocations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY totp_factors ADD CONSTRAINT totp_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

INSERT INTO event_search_progress (id, xid, seq) VALUES ('events', '0', 0), ('begun', '0', 0), ('refiling', '0', 0);
INSERT INTO log_clock (id) VALUES (1);
WITH made AS (INSERT INTO event_search_refiling (mark) VALUES (gen_random_uuid()) RETURNING mark)
INSERT INTO event_search_marker (mark) SELECT mark FROM made;
