-- Headers of a destination's own. Names are in clear, so that they can be read while a key is missing; the values are sealed together,
-- with the origin of the URL that they were entered for. The release before sends none: it reads and writes none of these columns.
ALTER TABLE destinations
    ADD COLUMN header_names text[] DEFAULT ARRAY[]::text[],
    ADD COLUMN headers_sealed text,
    ADD COLUMN headers_key_id text;
