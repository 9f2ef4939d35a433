/** Rounds down to whole months: that is how events are deleted. */
export const CUTOFF = (days: string) => `date_trunc('month', now() - make_interval(days => ${days}), 'UTC')`;

/** Retention of source `s` in workspace `w`: its own where that is shorter. */
export const DAYS_KEPT = "least(w.retention_days, s.retention_days)";
