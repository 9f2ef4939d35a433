import { defineRoute } from "#lib/api/define-route";
import { quarantineDiagnoses, quarantineDiagnosesQuery } from "#lib/contracts/quarantine";
import { readDiagnoses } from "#lib/flows/quarantine/diagnoses";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "quarantine.read",
  cost: "heavy",
  summary: "Group quarantined requests by diagnosis",
  query: quarantineDiagnosesQuery,
  answers: { 200: quarantineDiagnoses },
  example: {},
  handle: ({ actor, query }) => readDiagnoses(actor.workspaceId, query),
});
