import { viewListRoute } from "../view-routes.ts";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = viewListRoute("record");
