import * as z from "zod/mini";
import { alert } from "#lib/contracts/alerts/alerts";
import { alertChannel } from "#lib/contracts/alerts/channels";
import { alertRule } from "#lib/contracts/alerts/rules";
import { apiKey, member, sessionInfo } from "#lib/contracts/auth/settings";
import { connection, connectionDetail, connectionProblem } from "#lib/contracts/connections";
import { attempt, eventDetail, eventSummary, historyCoverage } from "#lib/contracts/events/events";
import { issue } from "#lib/contracts/issues";
import { operation } from "#lib/contracts/operations/operations";
import { overview } from "#lib/contracts/overview";
import { quarantineDetail, quarantineItem } from "#lib/contracts/quarantine";
import { redeliveryProgress } from "#lib/contracts/redeliveries";
import { source } from "#lib/contracts/sources/sources";
import { pipelineBoard, viewDetail, viewField, viewRecord } from "#lib/contracts/views";
import { problemSchema } from "./problem.ts";

/** Names of schemas in the OpenAPI document. A schema without a name is written out wherever it is used. */
const NAMES: Record<string, z.ZodMiniType> = {
  Alert: alert,
  AlertChannel: alertChannel,
  AlertRule: alertRule,
  ApiKey: apiKey,
  Attempt: attempt,
  Connection: connection,
  ConnectionDetail: connectionDetail,
  ConnectionProblem: connectionProblem,
  Event: eventSummary,
  EventDetail: eventDetail,
  HistoryCoverage: historyCoverage,
  Issue: issue,
  Member: member,
  Operation: operation,
  Overview: overview,
  PipelineBoard: pipelineBoard,
  Problem: problemSchema,
  Redelivery: redeliveryProgress,
  QuarantinedRequest: quarantineItem,
  QuarantinedRequestDetail: quarantineDetail,
  Session: sessionInfo,
  Source: source,
  View: viewRecord,
  ViewDetail: viewDetail,
  ViewField: viewField,
};

export const schemaNames = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(NAMES)) schemaNames.add(schema, { id });
