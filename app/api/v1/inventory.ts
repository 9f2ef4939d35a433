import { type ApiRoute, openApiDocument } from "#lib/api/openapi";
import type { RouteDeclaration } from "#lib/api/route-declaration";
import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/api/app-error";
import { Pauses } from "#lib/time/waits";

type Module = Record<string, { declaration?: RouteDeclaration } | undefined>;

/** The bundler finds them, so a new route is in the document without being registered. */
const MODULES = import.meta.glob<Module>(["./**/route.ts", "!./openapi.json/route.ts"]);
type RouteHandler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const VERSION = "1";

async function listApiRoutes(): Promise<ApiRoute[]> {
  const routes: ApiRoute[] = [];
  const pauses = new Pauses();
  for (const [file, load] of Object.entries(MODULES)) {
    const module = await load();
    await pauses.afterPiece(); // all of them together would hold the event loop for half a second
    const path = `/api/v1${file.slice(1, -"/route.ts".length).replaceAll(/\[(\w+)\]/g, "{$1}")}`;
    for (const method of METHODS) {
      const declaration = module[method]?.declaration;
      if (declaration) routes.push({ path, method, declaration });
    }
  }
  return routes.sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
}

/** Calls the route of a request to the API, within this process. */
export async function callApi(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname;
  // A fixed path wins over a parameter, as in Next.
  const files = Object.keys(MODULES).sort((a, b) => Number(a.includes("[")) - Number(b.includes("[")));
  for (const file of files) {
    const pattern = `^/api/v1${file.slice(1, -"/route.ts".length).replaceAll(/\[(?:\.\.\.)?(\w+)\]/g, "(?<$1>[^/]+)")}$`;
    const match = new RegExp(pattern).exec(path);
    const module = match && ((await MODULES[file]?.()) as unknown as Record<string, RouteHandler | undefined>);
    const handler = module?.[request.method];
    if (!match || !handler) continue;
    const params = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]);
    return handler(request, { params: Promise.resolve(Object.fromEntries(params) as Record<string, string>) });
  }
  throw new AppError("not_found", "The API has no such URL. It is described at /api/v1/openapi.json.");
}

const describe = async () => openApiDocument(await listApiRoutes(), { serverUrl: env().APP_URL, version: VERSION });
let described: ReturnType<typeof describe> | undefined;

/** Returns the OpenAPI 3.1 document, made once: the route is public, and making it takes 0.1 s of processor time. */
export function describeApi(): ReturnType<typeof describe> {
  described ??= describe().catch((error: unknown) => {
    described = undefined;
    throw error;
  });
  return described;
}
