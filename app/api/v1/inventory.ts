import { env } from "#lib/config/env";
import { type ApiRoute, openApiDocument } from "#lib/http/openapi";
import type { RouteDeclaration } from "#lib/http/route-declaration";

type Module = Record<string, { declaration?: RouteDeclaration } | undefined>;

/** The bundler finds them: a new route is in the document without being registered. */
const MODULES = import.meta.glob<Module>(["./**/route.ts", "!./openapi.json/route.ts"]);
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const VERSION = "1";

/** Every route of the API with what it declares, by address. */
async function listApiRoutes(): Promise<ApiRoute[]> {
  const routes: ApiRoute[] = [];
  for (const [file, load] of Object.entries(MODULES)) {
    const module = await load();
    const path = `/api/v1${file.slice(1, -"/route.ts".length).replaceAll(/\[(\w+)\]/g, "{$1}")}`;
    for (const method of METHODS) {
      const declaration = module[method]?.declaration;
      if (declaration) routes.push({ path, method, declaration });
    }
  }
  return routes.sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
}

/** The OpenAPI 3.1 document of this Signalbox. */
export const describeApi = async () => openApiDocument(await listApiRoutes(), { serverUrl: env().APP_URL, version: VERSION });
