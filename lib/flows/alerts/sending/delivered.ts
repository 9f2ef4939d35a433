/** What became of one request or email: in words, and when to ask again where the answer says so, in milliseconds. */
export type Delivered = {
  arrived: boolean;
  detail: string;
  retryAfterMs: number | null;
  /** True if the other side has rejected this message and may take the next one. */
  refused?: boolean;
};
