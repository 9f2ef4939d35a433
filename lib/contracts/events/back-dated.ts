const HEADER = "x-sandbox";
const VALUE = "back-dated";

/** Sent with the sandbox's made-up history: its events are older than their webhook, which says nothing about the delivery. */
export const BACK_DATED_HEADERS: Record<string, string> = { [HEADER]: VALUE };

export const isBackDated = (headers: Record<string, string>): boolean => headers[HEADER] === VALUE;

/** SQL of the same; `headers` is a column. */
export const isBackDatedSql = (headers: string): string => `coalesce(${headers} ->> '${HEADER}' = '${VALUE}', false)`;

/** Seconds from an event's own time to its receipt, above which it was sent late or replayed: no delay of the delivery. */
export const LATE_AFTER_S = 86_400;
