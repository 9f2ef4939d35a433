/** The actor of automatic deletions in the audit log. */
export const RETENTION = { kind: "system", id: null, name: "Retention", credential: null } as const;
