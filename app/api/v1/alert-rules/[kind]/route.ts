import { defineRoute } from "#lib/api/define-route";
import { alertRule, alertRuleParams, changeAlertRuleBody } from "#lib/contracts/alerts";
import { changeAlertRule } from "#lib/flows/alerts/manage-rules";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("PATCH", {
  operation: "alerts.manage",
  summary: "Turn an alert rule on or off, set its threshold or event types, mute it",
  params: alertRuleParams,
  body: changeAlertRuleBody,
  answers: { 200: alertRule },
  example: { params: { kind: "processing_lag" }, body: { threshold: 120, muteFor: "1h" } },
  handle: ({ context, params, body }) => changeAlertRule(context, params.kind, body),
});
