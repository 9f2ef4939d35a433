-- Which payload paths a source's fields stand at: a setting, read with every event of the source.
CREATE TABLE "field_mappings" (
    "source_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "mapping" JSONB NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "changed_by" TEXT NOT NULL,

    CONSTRAINT "field_mappings_pkey" PRIMARY KEY ("source_id")
);

CREATE INDEX "field_mappings_workspace_id_idx" ON "field_mappings"("workspace_id");

ALTER TABLE "field_mappings" ADD CONSTRAINT "field_mappings_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "sources"("id") ON DELETE CASCADE ON UPDATE CASCADE;
