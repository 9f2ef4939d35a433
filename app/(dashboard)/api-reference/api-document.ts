import { cache } from "react";
import { describeApi } from "../../api/v1/inventory.ts";

/** The OpenAPI document, made once a request. */
export const apiDocument = cache(describeApi);
