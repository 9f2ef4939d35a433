-- Events of whose payload the search holds a part: counted by each search. Until a release wrote IN_PART, 200 terms were all that was filed.
CREATE INDEX "event_search_in_part_idx" ON "event_search" ("workspace_id", "received_at")
  WHERE (length("terms") >= 200 OR "terms" @@ 'IN_PART'::tsquery);
