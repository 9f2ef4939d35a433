/** The parts of an OpenAPI 3.1 document that ours has and the reference page reads. */

export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
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
  description?: string;
  "x-roles": readonly string[];
  parameters: ApiParameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, ApiAnswer>;
};

export type ApiDocument = {
  openapi: string;
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, ApiOperation>>;
  components: { schemas: Record<string, JsonSchema>; [other: string]: unknown };
  [other: string]: unknown;
};
