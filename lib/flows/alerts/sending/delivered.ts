/** `retryAfterMs`: wait before the next attempt, where the answer names one. */
export type Delivered = {
  arrived: boolean;
  detail: string;
  retryAfterMs: number | null;
  /** True if the other side has rejected this message and may take the next one. */
  refused?: boolean;
};
