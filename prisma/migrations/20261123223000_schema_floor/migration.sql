-- The oldest migration that code must know to run on this database. The migrator writes it.
CREATE TABLE "schema_floor" (
  "id" INTEGER NOT NULL DEFAULT 1 CHECK ("id" = 1),
  "oldest_runnable" TEXT NOT NULL,
  CONSTRAINT "schema_floor_pkey" PRIMARY KEY ("id")
);
