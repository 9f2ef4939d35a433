-- The worker that applies events files them for the search, too. What it has not
-- filed is filed by position, behind the ranges that have ended some seconds ago.
CREATE INDEX "log_ranges_ended_at_idx" ON "log_ranges"("ended_at");
