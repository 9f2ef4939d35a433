-- When a source's newest events arrived, beside the times that it gave them. Empty for what a release before this one has noted, which leaves the column alone.
ALTER TABLE "source_cadences" ADD COLUMN "arrivals" BIGINT[] DEFAULT ARRAY[]::BIGINT[];
