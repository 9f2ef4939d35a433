-- What a search of a list looks at: the id and the name, in small letters. The
-- list's index carries it along, so that a search that finds little reads that
-- index alone and not every record.
ALTER TABLE "views" ADD COLUMN "words" TEXT NOT NULL DEFAULT '';
UPDATE "views" SET "words" = left(lower("id" || ' ' || coalesce("registers"->'title'->>'v', "registers"->'name'->>'v', "registers"->'provider'->>'v', '')), 300);
DROP INDEX "views_workspace_id_kind_last_created_id_idx";
-- The condition holds for every row: it keeps the index out of the schema's language, which has no INCLUDE.
CREATE INDEX "views_list_idx" ON "views"("workspace_id", "kind", "last_created" DESC, "id") INCLUDE ("words") WHERE "kind" IS NOT NULL;
