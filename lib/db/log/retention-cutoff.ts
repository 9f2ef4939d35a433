/** Events of whole months go together: the first moment of the month that a policy of `days` reaches back to. */
export const CUTOFF = (days: string) => `date_trunc('month', now() - make_interval(days => ${days}), 'UTC')`;

/** SQL: number of days for which what a source `s` of a workspace `w` received is kept: its own, where that is shorter than the workspace's. */
export const DAYS_KEPT = "least(w.retention_days, s.retention_days)";
