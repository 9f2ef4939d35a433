import type { ApiDocument, ApiOperation } from "#lib/contracts/api/openapi";

export type Call = { path: string; method: string; operation: ApiOperation };

export const callsOf = ({ paths }: ApiDocument): Call[] =>
  Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })));

export const operationHref = (operationId: string): string => `/api-reference/${operationId}`;
export const schemaHref = (name: string): string => `/api-reference/schemas/${name}`;
