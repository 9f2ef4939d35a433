import { defineRoute, otherMethods } from "#lib/api/define-route";
import { quarantineDiagnoses, quarantineDiagnosesQuery } from "#lib/contracts/quarantine";
import { readDiagnoses } from "#lib/flows/quarantine/diagnoses";

export const GET = defineRoute({
  operation: "quarantine.read",
  cost: "heavy",
  summary: "Group quarantined requests by diagnosis",
  query: quarantineDiagnosesQuery,
  answers: { 200: quarantineDiagnoses },
  example: {},
  handle: ({ actor, query }) => readDiagnoses(actor.workspaceId, query),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });
