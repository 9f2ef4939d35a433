/** Actor of automatic deletions. */
export const RETENTION = { kind: "system", id: null, name: "Retention", credential: null } as const;
