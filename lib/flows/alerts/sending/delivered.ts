/** Outcome of one request or email: in words, and the wait before the next attempt where the answer names one, in milliseconds. */
export type Delivered = {
  arrived: boolean;
  detail: string;
  retryAfterMs: number | null;
  /** True if the other side has rejected this message and may take the next one. */
  refused?: boolean;
};
