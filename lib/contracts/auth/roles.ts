/** From the most rights to the fewest. */
export const ROLES = ["owner", "admin", "developer", "viewer"] as const;
