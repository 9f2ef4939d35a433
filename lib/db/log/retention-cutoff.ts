/** Events of whole months go together: the first moment of the month that a policy of `days` reaches back to. */
export const CUTOFF = (days: string) => `date_trunc('month', now() - make_interval(days => ${days}), 'UTC')`;
