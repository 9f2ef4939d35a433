import * as z from "zod/mini";
import { alert, alertChannel, alertRule } from "#lib/contracts/alerts";
import { apiKey, member, sessionInfo } from "#lib/contracts/auth/settings";
import { connection, connectionDetail, connectionProblem } from "#lib/contracts/connections";
import { attempt, eventDetail, eventSummary, historyCoverage } from "#lib/contracts/events/events";
import { eventFilter } from "#lib/contracts/forwarding/event-filter-schema";
import { issue } from "#lib/contracts/issues";
import { operation } from "#lib/contracts/operations";
import { overview } from "#lib/contracts/overview";
import { quarantineDetail, quarantineItem } from "#lib/contracts/quarantine";
import { redeliveryProgress } from "#lib/contracts/redeliveries";
import { source } from "#lib/contracts/sources/sources";
import { pipelineBoard, viewDetail, viewField, viewRecord } from "#lib/contracts/views";
import { problemSchema } from "./app-error.ts";

/** The parts of an OpenAPI 3.1 document that ours has and the reference page reads. */

export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
};

export type ApiParameter = {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
};

type Content = Record<string, { schema: JsonSchema; example?: unknown }>;
export type ApiAnswer = { $ref?: string; description?: string; content?: Content };

export type ApiOperation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  "x-roles": readonly string[];
  parameters: ApiParameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, ApiAnswer>;
};

export type ApiDocument = {
  openapi: string;
  info: {
    title: string;
    version: string;
    description: string;
    contact: { name: string; url: string };
    license: { name: string; identifier: string };
  };
  servers: { url: string; description: string }[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, ApiOperation>>;
  components: { schemas: Record<string, JsonSchema>; [other: string]: unknown };
  [other: string]: unknown;
};

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

export const schemaNames = z.registry<{ id: string; type?: "object"; description?: string }>();
for (const [id, schema] of Object.entries(NAMES)) schemaNames.add(schema, { id });
// What checks it is a function, of which no schema can be made.
schemaNames.add(eventFilter, { id: "EventFilter", type: "object", description: "Fields, nested like the payload, and operators." });
