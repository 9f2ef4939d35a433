import type { Audit } from "#lib/auth/audit/audit";

/** Records nothing: for tests of a flow that look at something else. */
export const noAudit: Audit = { record: async () => {}, unchanged: () => {} };
