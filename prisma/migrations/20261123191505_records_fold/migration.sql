-- Which version of the fold each workspace's records were made by. None: an earlier one than is known.
CREATE TABLE "view_folds" (
    "workspace_id" TEXT NOT NULL,
    "fold" INTEGER NOT NULL,

    CONSTRAINT "view_folds_pkey" PRIMARY KEY ("workspace_id")
);

-- The records that are there were made by earlier versions.
INSERT INTO "view_folds" ("workspace_id", "fold") SELECT "id", 0 FROM "workspaces";
