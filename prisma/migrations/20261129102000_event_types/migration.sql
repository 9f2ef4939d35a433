-- Event types: what each source really sends, learnt by the workers from first deliveries.
CREATE TABLE event_schemas (
    id text NOT NULL,
    workspace_id text NOT NULL,
    source_id text NOT NULL,
    type text NOT NULL,
    variant text NOT NULL DEFAULT '',
    state text NOT NULL DEFAULT 'observed',
    events bigint NOT NULL DEFAULT 0,
    fields integer NOT NULL DEFAULT 0,
    first_event_at timestamp(3) with time zone,
    last_event_at timestamp(3) with time zone,
    last_change_at timestamp(3) with time zone,
    tree jsonb NOT NULL DEFAULT '{}',
    watch jsonb NOT NULL DEFAULT '{}',
    generation integer NOT NULL DEFAULT 1,
    next_tree jsonb,
    next_from timestamp(3) with time zone,
    pin jsonb,
    volume jsonb,
    created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
    updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
    told_at timestamp(3) with time zone,
    CONSTRAINT event_schemas_pkey PRIMARY KEY (id),
    CONSTRAINT event_schemas_source_id_fkey FOREIGN KEY (source_id) REFERENCES sources(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX event_schemas_workspace_id_source_id_type_variant_key ON event_schemas (workspace_id, source_id, type, variant);
CREATE INDEX event_schemas_source_id_idx ON event_schemas (source_id);
CREATE INDEX event_schemas_updated_at_idx ON event_schemas (updated_at);
CREATE INDEX event_schemas_told_at_idx ON event_schemas (told_at);

CREATE TABLE event_schema_changes (
    id BIGSERIAL NOT NULL,
    workspace_id text NOT NULL,
    schema_id text NOT NULL,
    at timestamp(3) with time zone NOT NULL DEFAULT now(),
    kind text NOT NULL,
    path text,
    detail text,
    event_id text,
    event_at timestamp(3) with time zone,
    made_by text,
    CONSTRAINT event_schema_changes_pkey PRIMARY KEY (id),
    CONSTRAINT event_schema_changes_schema_id_fkey FOREIGN KEY (schema_id) REFERENCES event_schemas(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX event_schema_changes_schema_id_id_idx ON event_schema_changes (schema_id, id DESC);

CREATE TABLE event_schema_drifts (
    id text NOT NULL,
    workspace_id text NOT NULL,
    schema_id text NOT NULL,
    kind text NOT NULL,
    severity text NOT NULL,
    path text NOT NULL,
    outcome text NOT NULL,
    state text NOT NULL DEFAULT 'open',
    expected text NOT NULL,
    observed text NOT NULL,
    count integer NOT NULL DEFAULT 1,
    first_event_id text,
    first_event_at timestamp(3) with time zone,
    last_good_id text,
    last_good_at timestamp(3) with time zone,
    opened_at timestamp(3) with time zone NOT NULL DEFAULT now(),
    closed_at timestamp(3) with time zone,
    closed_by text,
    issue_id text,
    CONSTRAINT event_schema_drifts_pkey PRIMARY KEY (id),
    CONSTRAINT event_schema_drifts_schema_id_fkey FOREIGN KEY (schema_id) REFERENCES event_schemas(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX event_schema_drifts_schema_id_opened_at_idx ON event_schema_drifts (schema_id, opened_at DESC);
CREATE INDEX event_schema_drifts_open_idx ON event_schema_drifts (workspace_id) WHERE (state = 'open'::text);

CREATE TABLE event_schema_versions (
    schema_id text NOT NULL,
    number integer NOT NULL,
    workspace_id text NOT NULL,
    hash text NOT NULL,
    reason text NOT NULL,
    fields integer NOT NULL,
    tree jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
    created_by text,
    CONSTRAINT event_schema_versions_pkey PRIMARY KEY (schema_id, number),
    CONSTRAINT event_schema_versions_schema_id_fkey FOREIGN KEY (schema_id) REFERENCES event_schemas(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE event_schema_settings (
    schema_id text NOT NULL,
    path text NOT NULL,
    workspace_id text NOT NULL,
    ignored boolean NOT NULL DEFAULT false,
    map boolean NOT NULL DEFAULT false,
    not_enumeration boolean NOT NULL DEFAULT false,
    changed_at timestamp(3) with time zone NOT NULL DEFAULT now(),
    changed_by text NOT NULL,
    CONSTRAINT event_schema_settings_pkey PRIMARY KEY (schema_id, path),
    CONSTRAINT event_schema_settings_schema_id_fkey FOREIGN KEY (schema_id) REFERENCES event_schemas(id) ON UPDATE CASCADE ON DELETE CASCADE
);
