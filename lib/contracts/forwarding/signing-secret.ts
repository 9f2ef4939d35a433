import * as z from "zod/mini";
import { text } from "../api/parameters.ts";

/** Secret of Standard Webhooks that a person enters: 24 to 64 bytes in base64. */
export const ownSigningSecret = text(200).check(
  z.trim(),
  z.regex(/^whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, "Enter a secret that begins with whsec_"),
);
