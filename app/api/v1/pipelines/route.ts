import { viewListRoute } from "../view-routes.ts";

export const GET = viewListRoute("pipeline");
