import { readdirSync } from "node:fs";
import path from "node:path";
import type { RouteDeclaration, RouteExample } from "#lib/http/route-declaration";

const APP = path.resolve(import.meta.dirname, "../../app");
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

type Handler = ((request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>) & {
  declaration?: RouteDeclaration;
};

/** One method of one address of the product. `route` is its folder below app: `api/v1/events/[id]`. */
export type Endpoint = { route: string; method: string; handler: Handler; declaration: RouteDeclaration | undefined };
export type DeclaredEndpoint = Endpoint & { declaration: RouteDeclaration };

/** Every route handler below app/, found on disk: nothing has to be registered, and nothing can be forgotten. */
export async function listEndpoints(): Promise<Endpoint[]> {
  const files = readdirSync(APP, { recursive: true, encoding: "utf8" }).filter((file) => path.basename(file) === "route.ts");
  const endpoints: Endpoint[] = [];
  for (const file of files.sort()) {
    const module = new Map(Object.entries((await import(path.join(APP, file))) as Record<string, unknown>));
    for (const method of METHODS) {
      const handler = module.get(method) as Handler | undefined;
      if (typeof handler === "function")
        endpoints.push({ route: path.dirname(file).replaceAll("\\", "/"), method, handler, declaration: handler.declaration });
    }
  }
  return endpoints;
}

/** The routes that are made by defineRoute: all but the short list of public ones. */
export const listDeclared = async (): Promise<DeclaredEndpoint[]> =>
  (await listEndpoints()).filter((endpoint): endpoint is DeclaredEndpoint => endpoint.declaration !== undefined);

/** The same call as the example of the route's declaration, with these headers. */
export function callExample(endpoint: DeclaredEndpoint, headers: Record<string, string>, change: RouteExample = {}): Promise<Response> {
  return callEndpoint(endpoint, headers, { ...endpoint.declaration.example, ...change });
}

/** Calls a handler as Next would. */
export function callEndpoint(
  { route, method, handler }: Endpoint,
  headers: Record<string, string>,
  input: RouteExample = {},
): Promise<Response> {
  const { params = {}, query = {}, body } = input;
  const address = route.replaceAll(/\[(\w+)\]/g, (_, name: string) => encodeURIComponent((params[name] ?? name).toWellFormed()));
  const url = `http://localhost:3000/${address}?${new URLSearchParams(query)}`;
  const init = method === "GET" ? {} : { body: JSON.stringify(body ?? {}) };
  return handler(new Request(url, { method, headers: { "content-type": "application/json", ...headers }, ...init }), {
    params: Promise.resolve(params),
  });
}
