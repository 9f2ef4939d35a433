-- True of a name that a person gave; the others follow the account. The release before doesn't know the column: what it adds keeps its name.
ALTER TABLE "connections" ADD COLUMN "name_given" BOOLEAN NOT NULL DEFAULT true;
UPDATE "connections" SET "name_given" = false, "name" = COALESCE(NULLIF("account", ''), "name") WHERE "name" ~ '^Account [0-9]+$';
