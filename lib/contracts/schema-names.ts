import * as z from "zod/mini";
import { connection, connectionDetail, connectionProblem } from "./connections.ts";
import { attempt, eventDetail, eventSummary } from "./events.ts";
import { issue } from "./issues.ts";
import { overview } from "./overview.ts";
import { problemSchema } from "./problem.ts";
import { quarantineDetail, quarantineItem } from "./quarantine.ts";
import { redeliveryProgress } from "./redeliveries.ts";
import { apiKey, member, sessionInfo, source } from "./settings.ts";
import { pipelineBoard, viewDetail, viewField, viewRecord } from "./views.ts";

/**
 * What the OpenAPI document calls a schema that stands in more than one place.
 * A schema without a name is written out wherever it is used.
 */
const NAMES: Record<string, z.ZodMiniType> = {
  ApiKey: apiKey,
  Attempt: attempt,
  Connection: connection,
  ConnectionDetail: connectionDetail,
  ConnectionProblem: connectionProblem,
  Event: eventSummary,
  EventDetail: eventDetail,
  Issue: issue,
  Member: member,
  Overview: overview,
  PipelineBoard: pipelineBoard,
  Problem: problemSchema,
  Redelivery: redeliveryProgress,
  RefusedRequest: quarantineItem,
  RefusedRequestDetail: quarantineDetail,
  Session: sessionInfo,
  Source: source,
  View: viewRecord,
  ViewDetail: viewDetail,
  ViewField: viewField,
};

/** The names as Zod's generator of JSON Schema reads them. */
export const schemaNames = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(NAMES)) schemaNames.add(schema, { id });
